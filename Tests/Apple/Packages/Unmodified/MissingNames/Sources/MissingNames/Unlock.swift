import Foundation
import LocalAuthentication.LAError

/// What an app says when the user could not be authenticated.
public func explanation(of error: Error) -> String {
    do {
        throw error
    } catch LAError.userCancel {
        return "canceled"
    } catch let error as LAError {
        return error.errorCode == Int(kLAErrorBiometryNotEnrolled) ? "not enrolled" : "failed"
    } catch {
        return "another error"
    }
}
