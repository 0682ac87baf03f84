internal import CCoffer
internal import Coffer
internal import CofferBasics

/// Bytes for C code, which stay where they are, with a zero byte after them; wiped when they are released.
@safe final class StoredBytes {
    private let buffer: SecretBuffer

    convenience init(_ source: some Collection<UInt8>) {
        self.init(copying: Array(source).span)
    }

    init(copying source: Span<UInt8>) {
        // All zeros, so that one follows the bytes.
        var buffer = SecretBuffer(byteCount: source.count + 1)
        buffer.withMutableSpan { $0.copy(from: source) }
        self.buffer = buffer
    }

    /// The bytes; the buffer never moves.
    var bytes: coffer_bytes {
        unsafe buffer.withSpan { span in
            unsafe span.withUnsafeBytes { unsafe coffer_bytes(bytes: $0.baseAddress, count: $0.count - 1) }
        }
    }

    /// The bytes as a string of C.
    var characters: UnsafePointer<CChar>? { unsafe bytes.bytes?.assumingMemoryBound(to: CChar.self) }
}

extension coffer_bytes {
    /// Lends the bytes to `body`.
    func withSpan<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = unsafe bytes?.assumingMemoryBound(to: UInt8.self)
        return try body(unsafe Span(_unsafeElements: UnsafeBufferPointer(start: start, count: count)))
    }

    /// Throws if there is no memory behind the bytes.
    func checked(_ name: String) throws(InvalidArgument) -> coffer_bytes {
        guard unsafe (0...Int(Int32.max)).contains(count), unsafe bytes != nil || count == 0 else {
            throw InvalidArgument("`\(name)` is NULL or too long")
        }
        return unsafe self
    }

    /// A copy of the bytes.
    func array(_ name: String) throws(InvalidArgument) -> [UInt8] {
        unsafe try checked(name).withSpan { [UInt8](copying: $0) }
    }

    /// The bytes as text.
    func text(_ name: String) throws(InvalidArgument) -> String {
        guard let text = String(validating: unsafe try array(name), as: UTF8.self) else {
            throw InvalidArgument("`\(name)` is not UTF-8")
        }
        return text
    }

    /// The bytes as a path, which must not be empty.
    func path(_ name: String) throws(InvalidArgument) -> String {
        let path = unsafe try text(name)
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw InvalidArgument("`\(name)` is empty or contains a zero byte")
        }
        return path
    }
}

/// Returns several texts that C code passes as an array.
func texts(_ texts: UnsafePointer<coffer_bytes>?, _ count: Int, _ name: String) throws(InvalidArgument) -> [String] {
    guard count >= 0, unsafe texts != nil || count == 0 else { throw InvalidArgument("`\(name)` is NULL") }
    var result: [String] = []
    for index in 0..<count { if let text = unsafe texts?[index] { result.append(unsafe try text.text(name)) } }
    return result
}

/// Returns the text of a string of C.
func name(_ characters: UnsafePointer<CChar>?) throws(InvalidArgument) -> String {
    guard let characters = unsafe characters, let text = unsafe String(validatingCString: characters) else {
        throw InvalidArgument("the name is NULL or not UTF-8")
    }
    return text
}
