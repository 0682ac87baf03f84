internal import CofferBasics
package import VaultCrypto

/// Section 8.4: what Argon2id makes of an application password; the keys of secrets are derived from it.
package struct ApplicationPasswordKey: Sendable {
    package let stretching: PasswordStretching
    private let seed: Key

    /// Stretches a password.
    ///
    /// - Throws: `limitExceeded` or `notEnoughMemory` before any memory is allocated.
    package init(
        _ password: Span<UInt8>,
        _ stretching: PasswordStretching,
        limits: Argon2Limits = .reader,
        availableByteCount: Int?
    ) throws(VaultFormatError) {
        let parameters = stretching.parameters
        if let problem = limits.problem(with: parameters, availableByteCount: availableByteCount) { throw problem }
        self.stretching = stretching
        do throws(CipherError) {
            seed = try Key.ofPassphrase(
                password,
                salt: stretching.salt,
                operations: parameters.operations,
                memoryByteCount: parameters.memoryKiB << 10
            )
        } catch .outOfMemory(let neededByteCount) {
            throw .notEnoughMemory(neededByteCount: neededByteCount, availableByteCount: availableByteCount)
        } catch {
            throw .unavailable(.cipher(error))
        }
    }

    /// The content of form 2, after the form, around data of another form.
    package func sealed(
        _ data: Span<UInt8>,
        form: SecretForm,
        of revision: Revision,
        cipher: Cipher
    ) throws(Fault) -> [UInt8] {
        let associatedData = stretching.associatedData(of: revision, vault: cipher.vault)
        let (key, commitment) = try halves(associatedData)
        var content = [UInt8](byteCount: PasswordStretching.headByteCount + 1 + data.count + Box.tagByteCount) {
            output in
            stretching.append(to: &output)
            output.append(copying: commitment.span)
            output.append(zeroByteCount: Box.nonceByteCount)
            output.append(form.rawValue)
            output.append(copying: data)
            output.append(zeroByteCount: Box.tagByteCount)
        }
        let start = PasswordStretching.headByteCount
        let nonce = key.nonce(
            for: content.span.extracting(start..<content.count - Box.tagByteCount),
            associatedData: associatedData.span,
            random: cipher.random
        )
        var span = content.mutableSpan
        span.copy(from: nonce.span, at: start - Box.nonceByteCount)
        var sealedPart = span._mutatingExtracting(start..<span.count)
        key.seal(&sealedPart, nonce: nonce.span, associatedData: associatedData.span)
        return content
    }

    /// Opens the content of form 2 in place, and returns the form and the range of the data in it.
    ///
    /// - Returns: nil if the password is wrong.
    package func open(
        _ content: inout MutableSpan<UInt8>,
        of revision: Revision,
        vault: VaultID
    ) throws(Fault) -> (form: SecretForm, data: Range<Int>)? {
        let associatedData = stretching.associatedData(of: revision, vault: vault)
        let (key, commitment) = try halves(associatedData)
        guard isKey(committedTo: commitment, in: content.span) else { return nil }
        let start = PasswordStretching.headByteCount
        var nonce = Nonce(repeating: 0)
        var nonceSpan = nonce.mutableSpan
        nonceSpan.copy(from: content.span.extracting(start - Box.nonceByteCount..<start))
        var sealedPart = content._mutatingExtracting(start..<content.count)
        guard key.open(&sealedPart, nonce: nonce.span, associatedData: associatedData.span) else {
            throw Fault(.notAuthentic)
        }
        let data = start + 1..<content.count - Box.tagByteCount
        guard let form = SecretForm(rawValue: content.span[start]), form != .applicationPassword else {
            content.wipe()
            throw Fault(.badValue)
        }
        guard form != .data || data.count <= Limits.secretByteCount else {
            content.wipe()
            throw Fault(.limitExceeded(.secret, value: UInt64(data.count)))
        }
        return (form, data)
    }

    /// Whether `content` of form 2 was sealed with this password.
    package func opens(_ content: Span<UInt8>, of revision: Revision, vault: VaultID) throws(Fault) -> Bool {
        let (_, commitment) = try halves(stretching.associatedData(of: revision, vault: vault))
        return isKey(committedTo: commitment, in: content)
    }

    private func isKey(committedTo commitment: [UInt8], in content: Span<UInt8>) -> Bool {
        content.count > PasswordStretching.headByteCount + Box.tagByteCount
            && areEqual(content.extracting(PasswordStretching.commitmentRange), commitment.span)
    }

    private func halves(_ associatedData: [UInt8]) throws(Fault) -> (key: Key, commitment: [UInt8]) {
        try translating({ Fault(.cipher($0)) }, seed.keyAndCommitment(.applicationPassword, associatedData))
    }
}

/// How an application password is stretched.
package struct PasswordStretching: Hashable, Sendable {
    package let parameters: Argon2Parameters
    package let salt: [UInt8]

    private static let saltByteCount = 16
    private static let byteCount = 8 + saltByteCount
    fileprivate static let commitmentRange = byteCount..<byteCount + 32
    /// The size of what precedes the sealed data: the parameters, the salt, the commitment and the nonce.
    static let headByteCount = commitmentRange.upperBound + Box.nonceByteCount

    /// How a new password is stretched.
    package init(_ parameters: Argon2Parameters, random: some RandomSource) {
        self.parameters = parameters
        salt = random.bytes(Self.saltByteCount)
    }

    /// How the password of a secret was stretched; `content` is that of form 2.
    package init(of content: Span<UInt8>) throws(Fault) {
        // At least a form and a tag are sealed.
        guard content.count > Self.headByteCount + Box.tagByteCount else { throw Fault(.tooShort) }
        parameters = Argon2Parameters(
            operations: Int(content.littleEndian(at: 0, as: UInt32.self)),
            memoryKiB: Int(content.littleEndian(at: 4, as: UInt32.self))
        )
        salt = [UInt8](copying: content.extracting(8..<Self.byteCount))
    }

    fileprivate func append(to output: inout OutputSpan<UInt8>) {
        output.append(littleEndian: UInt32(parameters.operations))
        output.append(littleEndian: UInt32(parameters.memoryKiB))
        output.append(copying: salt.span)
    }

    fileprivate func associatedData(of revision: Revision, vault: VaultID) -> [UInt8] {
        let bound = revision.associatedData(.secret, vault)
        return [UInt8](byteCount: bound.count + Self.byteCount) { output in
            output.append(copying: bound.span)
            append(to: &output)
        }
    }
}
