import Security
import Testing

@Suite("Status codes") struct StatusCodeTests {
    @Test func `the table has each code once, with a unique number and message`() {
        let codes = StatusCodeLine.all
        #expect(codes.count == 537)
        #expect(Set(codes.map(\.name)).count == codes.count)
        #expect(Set(codes.map(\.number)).count == codes.count)
        #expect(Set(codes.map(\.message)).count == codes.count)
    }

    @Test func `the constants match the table`() throws {
        let table = Dictionary(uniqueKeysWithValues: StatusCodeLine.all.map { ($0.name, $0.number) })
        #expect(try SurfaceSources.statusCodes() == table)
    }

    @Test(arguments: StatusCodeLine.all)
    func `the message of a status code is the one in the table`(code: StatusCodeLine) {
        #expect(SecCopyErrorMessageString(code.number, nil) as String? == code.message)
        #expect(code.message.wholeMatch(of: /[A-Z][^.\n]{9,}\./) != nil, "\(code.message)")
    }

    @Test(
        arguments: [
            (errSecSuccess, 0), (errSecUnimplemented, -4), (errSecIO, -36), (errSecParam, -50), (errSecAllocate, -108),
            (errSecUserCanceled, -128), (errSecMissingEntitlement, -34018), (errSecNotAvailable, -25291),
            (errSecReadOnly, -25292), (errSecAuthFailed, -25293), (errSecDuplicateItem, -25299),
            (errSecItemNotFound, -25300), (errSecDataTooLarge, -25302), (errSecNoSuchAttr, -25303),
            (errSecNoSuchClass, -25306), (errSecInteractionNotAllowed, -25308), (errSecDecode, -26275),
        ] as [(OSStatus, OSStatus)]
    )
    func `the statuses that calls return have Apple's numbers`(status: OSStatus, number: OSStatus) {
        #expect(status == number)
    }

    @Test func `the message of an unknown status is its number`() {
        #expect(SecCopyErrorMessageString(-12345, nil) as String? == "OSStatus -12345")
    }

    @Test func `noErr equals errSecSuccess`() {
        #expect(noErr == 0)
        #expect(noErr == errSecSuccess)
    }

    @Test func `status codes can be patterns in a switch`() {
        func name(_ status: OSStatus) -> String {
            switch status {
            case errSecSuccess: "success"
            case errSecItemNotFound, errSecNoSuchAttr: "missing"
            default: "other"
            }
        }
        #expect([0, -25300, -25303, -50].map(name) == ["success", "missing", "missing", "other"])
    }

    /// From `SecureTransport.h` and `CSCommon.h`: the ends of each range, and the codes beside gaps.
    @Test(
        arguments: [
            (errSSLProtocol, -9800), (errSSLClosedGraceful, -9805), (errSSLPeerBadCert, -9825),
            (errSSLHostNameMismatch, -9843), (errSSLUnrecognizedName, -9865), (errSSLATSViolation, -9880),
            (errSSLATSCertificateTrustViolation, -9886), (errSSLEarlyDataRejected, -9890),
            (errSecCSUnimplemented, -67072), (errSecCSUnsigned, -67062), (errSecCSReqFailed, -67050),
            (errSecCSHostProtocolUnrelated, -67039), (errSecCSNotSupported, -67037), (errSecCSVetoed, -67018),
            (errSecCSUnsupportedDigestAlgorithm, -67000), (errSecCSSignatureUntrusted, -66996),
            (errSecMultipleExecSegments, -66995), (errSecCSRemoteSignerFailed, -66990),
        ] as [(OSStatus, OSStatus)]
    )
    func `codes of TLS and code signing have Apple's numbers`(status: OSStatus, number: OSStatus) {
        #expect(status == number)
    }
}
