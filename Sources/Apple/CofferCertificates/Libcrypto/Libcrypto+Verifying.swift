internal import CCofferLibcrypto

/// A chain of certificates, and what is wrong with it.
package struct VerifiedChain: Sendable {
    /// Something that is wrong with a certificate.
    package struct Fault: Equatable, Sendable {
        /// OpenSSL's number.
        package let code: Int
        /// The index of the certificate in the chain.
        package let index: Int
    }

    /// The certificates in DER, from the one that was verified to its anchor, as far as they were found.
    package let certificates: [[UInt8]]
    /// Everything that is wrong; empty only if the chain ends in an anchor, and OpenSSL found nothing.
    package let faults: [Fault]
}

extension Libcrypto {
    /// Builds the chain of a certificate, and checks signatures, validity, and the constraints of its issuers.
    ///
    /// A certificate that cannot be read is left out; if it is the first one, there is no chain.
    ///
    /// - Parameters:
    ///   - certificate: The certificate in DER.
    ///   - others: Certificates that may be in the chain.
    ///   - anchors: Certificates that are trusted, whether they are self-signed or not.
    ///   - time: The time at which they must be valid, in seconds since 1970.
    /// - Returns: The chain.
    /// - Throws: `LibcryptoError` if a function fails.
    package func verify(
        _ certificate: [UInt8],
        others: [[UInt8]],
        anchors: [[UInt8]],
        at time: Int
    ) throws(LibcryptoError) -> VerifiedChain {
        try withoutErrors { () throws(LibcryptoError) in
            try Verification(self).run(certificate, others: others, anchors: anchors, at: time)
        }
    }
}

/// A verification, which frees what it allocated.
@safe private final class Verification {
    private let library: Libcrypto
    private var functions: coffer_libcrypto { library.functions }
    private let store: OpaquePointer
    private let context: OpaquePointer
    private let untrusted: OpaquePointer
    private var certificates: [OpaquePointer] = unsafe []
    private var faults: [VerifiedChain.Fault] = []

    /// The index of the pointer to the verification among the data of a context: the one for applications.
    private static let dataIndex: Int32 = 0

    /// Trusts certificates that are not self-signed, and checks certificate policies.
    private static let flags: UInt = 0x80000 | 0x80

    init(_ library: Libcrypto) throws(LibcryptoError) {
        self.library = library
        let functions = library.functions
        guard let store = unsafe functions.X509_STORE_new() else { throw .failed("X509_STORE_new") }
        guard let untrusted = unsafe functions.OPENSSL_sk_new_null() else {
            unsafe functions.X509_STORE_free(store)
            throw .failed("OPENSSL_sk_new_null")
        }
        guard let context = unsafe functions.X509_STORE_CTX_new_ex(library.context, nil) else {
            unsafe functions.OPENSSL_sk_free(untrusted)
            unsafe functions.X509_STORE_free(store)
            throw .failed("X509_STORE_CTX_new_ex")
        }
        unsafe self.store = store
        unsafe self.untrusted = untrusted
        unsafe self.context = context
    }

    deinit {
        unsafe functions.X509_STORE_CTX_free(context)
        unsafe functions.OPENSSL_sk_free(untrusted)
        unsafe functions.X509_STORE_free(store)
        unsafe certificates.forEach { unsafe functions.X509_free($0) }
    }

    func run(
        _ certificate: [UInt8],
        others: [[UInt8]],
        anchors: [[UInt8]],
        at time: Int
    ) throws(LibcryptoError) -> VerifiedChain {
        guard let leaf = unsafe read(certificate) else { throw .failed("d2i_X509") }
        for other in others {
            guard let other = unsafe read(other) else { continue }
            guard unsafe functions.OPENSSL_sk_push(untrusted, UnsafeRawPointer(other)) > 0 else {
                throw .failed("OPENSSL_sk_push")
            }
        }
        for anchor in anchors {
            guard let anchor = unsafe read(anchor) else { continue }
            try check(unsafe functions.X509_STORE_add_cert(store, anchor), "X509_STORE_add_cert")
        }
        try check(unsafe functions.X509_STORE_CTX_init(context, store, leaf, untrusted), "X509_STORE_CTX_init")
        guard let parameters = unsafe functions.X509_STORE_CTX_get0_param(context) else {
            throw .failed("X509_STORE_CTX_get0_param")
        }
        try check(unsafe functions.X509_VERIFY_PARAM_set_flags(parameters, Self.flags), "X509_VERIFY_PARAM_set_flags")
        unsafe functions.X509_VERIFY_PARAM_set_time(parameters, time)

        let pointer = unsafe Unmanaged.passUnretained(self).toOpaque()
        let status = unsafe functions.X509_STORE_CTX_set_ex_data(context, Self.dataIndex, pointer)
        try check(status, "X509_STORE_CTX_set_ex_data")
        unsafe functions.X509_STORE_CTX_set_verify_cb(context) { isGood, context in
            // The function has no context of its own, and the library is loaded only once.
            guard let library = try? Libcrypto.shared.get(),
                let pointer = unsafe library.functions.X509_STORE_CTX_get_ex_data(context, Verification.dataIndex)
            else { return 0 }
            unsafe Unmanaged<Verification>.fromOpaque(pointer).takeUnretainedValue().note(isGood, in: context)
            return 1
        }
        let result = unsafe functions.X509_verify_cert(context)
        // It may fail without asking whether to go on.
        if result != 1, faults.isEmpty { faults.append(unsafe fault(in: context)) }
        return VerifiedChain(certificates: chain, faults: faults)
    }

    private func note(_ isGood: Int32, in context: OpaquePointer) {
        guard isGood != 1 else { return }
        let fault = unsafe self.fault(in: context)
        if !faults.contains(fault) { faults.append(fault) }
    }

    private func fault(in context: OpaquePointer) -> VerifiedChain.Fault {
        let code = unsafe functions.X509_STORE_CTX_get_error(context)
        return VerifiedChain.Fault(
            code: Int(code),
            index: Int(unsafe functions.X509_STORE_CTX_get_error_depth(context))
        )
    }

    private func read(_ bytes: [UInt8]) -> OpaquePointer? {
        var certificate = unsafe functions.X509_new_ex(library.context, nil)
        guard unsafe certificate != nil else { return nil }
        let result = unsafe bytes.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            // If it cannot read the certificate, it frees what was made for it.
            return unsafe functions.d2i_X509(&certificate, &start, bytes.count)
        }
        guard let result = unsafe result else { return nil }
        unsafe certificates.append(result)
        return unsafe result
    }

    private var chain: [[UInt8]] {
        let chain = unsafe functions.X509_STORE_CTX_get0_chain(context)
        return (0..<max(0, unsafe functions.OPENSSL_sk_num(chain))).map { index in
            guard let certificate = unsafe functions.OPENSSL_sk_value(chain, index) else { return [] }
            let byteCount = unsafe functions.i2d_X509(OpaquePointer(certificate), nil)
            var bytes = [UInt8](repeating: 0, count: max(0, Int(byteCount)))
            unsafe bytes.withUnsafeMutableBufferPointer { bytes in
                var start = bytes.baseAddress
                _ = unsafe functions.i2d_X509(OpaquePointer(certificate), &start)
            }
            return bytes
        }
    }
}
