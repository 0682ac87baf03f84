/// A condition on the contents of certificates, which this module does not read.
package struct CertificateCondition: Sendable {
    /// Whether the data of a certificate matches.
    package typealias Check = @Sendable (_ data: [UInt8]) -> Bool

    /// Whether it depends on the other certificates of the program, too.
    let isAboutOthers: Bool
    /// Makes the check, from the data of those certificates.
    let makeCheck: @Sendable (_ others: [[UInt8]]) -> Check

    package init(isAboutOthers: Bool, makeCheck: @escaping @Sendable (_ others: [[UInt8]]) -> Check) {
        self.isAboutOthers = isAboutOthers
        self.makeCheck = makeCheck
    }
}
