import Foundation
import LocalAuthentication
import Testing

/// The codes by Apple's names, including old names, with Apple's numbers.
private let numbers: [(LAError.Code, Int)] = [
    (.authenticationFailed, -1), (.userCancel, -2), (.userFallback, -3), (.systemCancel, -4), (.passcodeNotSet, -5),
    (.biometryNotAvailable, -6), (.touchIDNotAvailable, -6), (.biometryNotEnrolled, -7), (.touchIDNotEnrolled, -7),
    (.biometryLockout, -8), (.touchIDLockout, -8), (.appCancel, -9), (.invalidContext, -10),
    (.watchNotAvailable, -11), (.companionNotAvailable, -11), (.biometryNotPaired, -12),
    (.biometryDisconnected, -13), (.invalidDimensions, -14), (.notInteractive, -1004),
]

@Suite("Authentication errors") struct LAErrorTests {
    @Test(arguments: numbers)
    func `every code has Apple's number and survives conversion to NSError`(code: LAError.Code, number: Int) {
        #expect(code.rawValue == number)
        let bridged = LAError(code) as NSError
        #expect(bridged.domain == LAErrorDomain)
        #expect(bridged.code == number)
        #expect(LAError(_nsError: bridged).code == code)
        #expect(!bridged.localizedDescription.isEmpty)
    }

    @Test func `the codes are also members of the error`() {
        #expect(LAError.userCancel == LAError.Code.userCancel)
        #expect(LAError.touchIDLockout == LAError.biometryLockout)
        #expect(LAError.companionNotAvailable == LAError.Code.watchNotAvailable)
    }

    @Test func `a thrown error can be caught by type and by code`() {
        func attempt() throws { throw LAError(.userCancel) }
        var code: LAError.Code?
        do { try attempt() } catch let error as LAError { code = error.code } catch {}
        #expect(code == .userCancel)
        var caught = "nothing"
        do { try attempt() } catch LAError.userFallback { caught = "fallback" } catch LAError.userCancel {
            caught = "cancel"
        } catch {}
        #expect(caught == "cancel")
    }

    @Test func `an error of another domain does not match a code`() {
        let error: any Error = NSError(domain: NSPOSIXErrorDomain, code: -2)
        #expect(!(LAError.userCancel ~= error))
        #expect(LAError.userCancel ~= NSError(domain: LAErrorDomain, code: -2))
    }

    /// On Apple's systems, errors of frameworks arrive as `NSError`.
    @Test func `an NSError of the domain is an authentication error`() throws {
        let original = NSError(domain: "com.apple.LocalAuthentication", code: -2, userInfo: ["why": "a call"])
        let error: any Error = original
        let cast = try #require(error as? LAError)
        #expect(cast.code == .userCancel)
        #expect(cast.userInfo["why"] as? String == "a call")
        #expect(cast as NSError === original)
        #expect((original as Any) as? LAError == cast)
        var caught: [LAError.Code] = []
        do { throw error } catch let error as LAError { caught.append(error.code) } catch {}
        do { throw error } catch LAError.userCancel { caught.append(.userCancel) } catch {}
        do { throw error } catch LAError.userFallback { caught.append(.userFallback) } catch {}
        #expect(caught == [.userCancel, .userCancel])
        #expect(NSError(domain: "other", code: -2) as any Error as? LAError == nil)
        #expect(CocoaError(.fileNoSuchFile) as any Error as? LAError == nil)
    }

    @Test func `an authentication error is an NSError again`() {
        let error: any Error = LAError(.userCancel, userInfo: ["why": "a call"])
        do { throw error } catch let error as NSError {
            #expect(error.domain == LAErrorDomain && error.code == Int(kLAErrorUserCancel))
            #expect(error.userInfo["why"] as? String == "a call")
            #expect((error as any Error as? LAError)?.code == .userCancel)
        }
    }

    @Test func `the numbers of Apple's header`() {
        #expect(kLAErrorDomain == "com.apple.LocalAuthentication")
        let all = [
            kLAErrorAuthenticationFailed, kLAErrorUserCancel, kLAErrorUserFallback, kLAErrorSystemCancel,
            kLAErrorPasscodeNotSet, kLAErrorTouchIDNotAvailable, kLAErrorTouchIDNotEnrolled, kLAErrorTouchIDLockout,
            kLAErrorAppCancel, kLAErrorInvalidContext, kLAErrorWatchNotAvailable, kLAErrorBiometryNotPaired,
            kLAErrorBiometryDisconnected, kLAErrorInvalidDimensions, kLAErrorNotInteractive,
        ]
        #expect(all == Array((-14)...(-1)).reversed() + [-1004])
        #expect(kLAErrorBiometryNotAvailable == -6 && kLAErrorBiometryNotEnrolled == -7)
        #expect(kLAErrorBiometryLockout == -8 && kLAErrorCompanionNotAvailable == -11)
        #expect(kLAPolicyDeviceOwnerAuthenticationWithBiometrics == 1 && kLAPolicyDeviceOwnerAuthentication == 2)
    }

    @Test func `an unknown code is a failure and keeps its number`() {
        let error = LAError(_nsError: NSError(domain: LAErrorDomain, code: -4711))
        #expect(error.code == .authenticationFailed)
        #expect(error.errorCode == -4711)
    }

    @Test func `additional values stay with the error`() {
        let error = LAError(.systemCancel, userInfo: ["why": "a call"])
        #expect(error.userInfo["why"] as? String == "a call")
        #expect((error as NSError).userInfo["why"] as? String == "a call")
        #expect(error.localizedDescription == (error as NSError).localizedDescription)
        #expect(LAError.errorDomain == "com.apple.LocalAuthentication")
    }
}
