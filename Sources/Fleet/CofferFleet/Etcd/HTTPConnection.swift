internal import CCofferCurl
internal import CofferBasics

/// The files with which a connection is protected, in PEM.
package struct TLSFiles: Equatable, Sendable {
    /// The authorities that are trusted instead of those of the system.
    package var authorities: String?
    /// The certificate of this machine, and its key.
    package var certificate: String?
    package var key: String?

    package init() {}
}

/// A request to a server.
struct HTTPRequest {
    var address: String
    /// The body of a POST; nil for a GET.
    var body: HeldSecret?
    /// Each with a newline after it.
    var headers = SecretBuilder()
    /// The time for everything; nil for no limit.
    var timeout: Duration?
}

/// Why no answer came, or not all of it.
struct HTTPFailure: Error {
    /// The text of libcurl.
    let text: String
    /// Whether the request was certainly not sent.
    let wasNotSent: Bool
    /// Whether another attempt would end like this one: a file or a certificate is wrong.
    let lasts: Bool
}

/// A connection to a server, which one request at a time uses.
///
/// Neither the environment nor a file of the user changes what it does.
@safe final class HTTPConnection: Sendable {
    private let library: Libcurl
    private let files: TLSFiles
    /// The address of curl's handle, a number since a pointer would not be `Sendable`; and whether it has been used.
    private let handle: Guarded<(address: UInt, wasUsed: Bool)>

    init(_ library: Libcurl, _ files: TLSFiles) throws(LibcurlError) {
        guard let handle = unsafe library.functions.curl_easy_init() else { throw .outOfMemory }
        (self.library, self.files) = (library, files)
        self.handle = Guarded((UInt(bitPattern: handle), false))
    }

    deinit {
        handle.withLock { unsafe library.functions.curl_easy_cleanup(OpaquePointer(bitPattern: $0.address)) }
    }

    /// Sends a request, and calls `receive` with the parts of the answer.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - goesOn: Is asked about once a second, and returns false to give up.
    ///   - receive: Takes a part of the answer; returns false to give up.
    /// - Returns: The status of the answer, and whether libcurl may have sent the request twice.
    /// - Throws: `HTTPFailure` if the answer did not come, or not all of it.
    func send(
        _ request: HTTPRequest,
        whileTrue goesOn: @escaping () -> Bool = { true },
        receive: @escaping (Span<UInt8>) -> Bool
    ) throws(HTTPFailure) -> (status: Int, mayBeRepeated: Bool) {
        let texts = SecretBuilder()
        for text in [request.address, files.authorities, files.certificate, files.key] {
            texts.append((text ?? "").utf8)
            texts.append(0)
        }
        request.headers.withSpan { texts.append(copying: $0) }
        texts.append(0)
        let exchange = Exchange(goesOn: goesOn, receive: receive)
        return try handle.withLock { handle throws(HTTPFailure) in
            defer { handle.wasUsed = true }
            return try texts.withSpan { texts throws(HTTPFailure) in
                guard let body = request.body else {
                    return try perform(request, texts, nil, handle, exchange)
                }
                return try body.withSpan { body throws(HTTPFailure) in
                    try perform(request, texts, body, handle, exchange)
                }
            }
        }
    }

    /// The functions that libcurl calls during a request.
    private final class Exchange {
        let goesOn: () -> Bool
        let receive: (Span<UInt8>) -> Bool

        init(goesOn: @escaping () -> Bool, receive: @escaping (Span<UInt8>) -> Bool) {
            (self.goesOn, self.receive) = (goesOn, receive)
        }

        static func at(_ context: UnsafeMutableRawPointer?) -> Exchange? {
            unsafe context.map { unsafe Unmanaged<Exchange>.fromOpaque($0).takeUnretainedValue() }
        }
    }

    private func perform(
        _ request: HTTPRequest,
        _ texts: Span<UInt8>,
        _ body: Span<UInt8>?,
        _ handle: (address: UInt, wasUsed: Bool),
        _ exchange: Exchange
    ) throws(HTTPFailure) -> (status: Int, mayBeRepeated: Bool) {
        var functions = library.functions
        var call = unsafe coffer_curl_request()
        unsafe call.timeout = Int(clamping: request.timeout?.milliseconds ?? 0)
        unsafe call.connectTimeout = 2000
        unsafe call.receive = { context, bytes, byteCount in
            let part = unsafe Span(_unsafeElements: UnsafeBufferPointer(start: bytes, count: byteCount))
            return unsafe Exchange.at(context)?.receive(part) ?? false
        }
        unsafe call.goesOn = { context in unsafe Exchange.at(context)?.goesOn() ?? false }
        unsafe call.context = Unmanaged.passUnretained(exchange).toOpaque()
        let failure = unsafe texts.withUnsafeBytes { texts in
            guard let handle = unsafe OpaquePointer(bitPattern: handle.address), let start = texts.baseAddress else {
                return Int32(27)
            }
            unsafe call.texts = start.assumingMemoryBound(to: CChar.self)
            guard let body else { return unsafe coffer_curl_perform(&functions, handle, &call) }
            return unsafe body.withUnsafeBytes { body in
                unsafe call.body = body.baseAddress
                unsafe call.bodyByteCount = body.count
                return unsafe coffer_curl_perform(&functions, handle, &call)
            }
        }
        withExtendedLifetime(exchange) {}
        guard failure == 0 else {
            var text = unsafe withUnsafeBytes(of: &call.error) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            // What curl says of a header that is too long.
            if failure == 27 { text = "a header is too long, or memory is short" }
            // The server closes the connection after the handshake, and says why too late.
            if [16, 52, 55, 56, 92].contains(failure), !handle.wasUsed, request.address.hasPrefix("https:") {
                text += "; the server may not accept the certificate of this machine, or its lack"
            }
            // Names, connections, and what TLS says before anything is sent. If a connection that was open ends without an
            // answer, libcurl makes another one and sends the request again; its error is then that of the second try.
            let isBeforeSending = [5, 6, 7, 35, 58, 59, 60, 77].contains(failure)
            throw HTTPFailure(
                text: text,
                wasNotSent: isBeforeSending && !handle.wasUsed,
                lasts: [58, 60, 77].contains(failure)
            )
        }
        return unsafe (call.status, handle.wasUsed && call.connectionCount > 0)
    }
}

extension Duration {
    /// The duration in whole milliseconds: from 0 to a day, which is more than anyone waits for an answer.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(max(seconds, 0), 86_400) * 1000 + max(attoseconds, 0) / 1_000_000_000_000_000
    }
}
