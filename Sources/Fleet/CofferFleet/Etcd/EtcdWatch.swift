internal import CofferBasics

extension EtcdClient {
    /// An event of a watch.
    package enum WatchEvent: Equatable, Sendable {
        /// The watch has begun, and reports everything from its revision on.
        case began
        /// Keys have changed; those that were deleted are left out.
        case changed([EtcdValue])
        /// Nothing has changed up to this revision.
        case progress(Int64)
        /// The revision from which it was to begin has been compacted.
        case compacted
    }

    /// Watches keys until `receive` or `goesOn` returns false, or the connection ends.
    ///
    /// A connection that ends is nothing unusual, and a quiet one may be dead: the caller watches again, and reads the
    /// keys now and then. Nothing may rest on an event alone, since old versions of etcd lose and repeat some.
    ///
    /// - Parameters:
    ///   - keys: The keys.
    ///   - revision: The first revision that is reported; 0 for what is new.
    ///   - goesOn: Is asked about once a second.
    ///   - receive: Takes an event.
    /// - Throws: Why the watch ended, if `receive` and `goesOn` did not end it.
    package func watch(
        _ keys: EtcdKeys,
        from revision: Int64 = 0,
        whileTrue goesOn: @escaping () -> Bool = { true },
        receive: @escaping (WatchEvent) -> Bool
    ) throws(EtcdError) {
        let content = SecretBuilder()
        let json = JSONWriter(to: content)
        json.object {
            json.key("create_request")
            json.object {
                json.keys(keys)
                if revision > 0 { json.member("start_revision", revision) }
                for name in ["progress_notify", "fragment"] {
                    json.key(name)
                    json.bool(true)
                }
            }
        }
        try authenticateIfNeeded()
        try withEndpoint { endpoint throws(EtcdError) in
            let request = HTTPRequest(address: endpoint + "/v3/watch", body: content.held)
            // Without a leader a watch would stay silent.
            request.headers.append("Grpc-Metadata-hasleader: true\nContent-Type: application/json\n".utf8)
            addToken(to: request.headers)
            let lines = WatchLines(receive)
            let connection = try takeConnection()
            var text = "the watch ended"
            do throws(HTTPFailure) {
                _ = try connection.send(request, whileTrue: goesOn, receive: lines.take)
            } catch {
                text = error.text
            }
            switch lines.failure {
            case .unexpectedAnswer(let answer): text = answer
            case let failure?:
                // The next watch gets another token: version 3.4 says of an old one that permission is denied.
                forgetToken()
                throw failure
            case nil where lines.hasEnded || !goesOn(): return
            case nil: break
            }
            throw .unavailable([EndpointFailure(endpoint: endpoint, text: text)], hadNoEffect: true)
        }
    }
}

/// The lines of a watch, each of which is a message.
private final class WatchLines {
    /// A fragment of events: one request of 1.5 MiB and half a megabyte, in base64.
    private static let byteCountLimit = 3 << 20

    private let receive: (EtcdClient.WatchEvent) -> Bool
    private var line = SecretBuilder()
    private(set) var hasEnded = false
    private(set) var failure: EtcdError?

    init(_ receive: @escaping (EtcdClient.WatchEvent) -> Bool) {
        self.receive = receive
    }

    /// Takes a part of the stream, which may end anywhere.
    func take(_ part: Span<UInt8>) -> Bool {
        var start = 0
        for index in part.indices where part[index] == UInt8(ascii: "\n") {
            line.append(copying: part.extracting(start..<index))
            start = index + 1
            guard endLine() else { return false }
        }
        line.append(copying: part.extracting(start..<part.count))
        if line.byteCount > Self.byteCountLimit { failure = .unexpectedAnswer("a message of a watch is too long") }
        return failure == nil
    }

    /// Returns whether the watch goes on.
    private func endLine() -> Bool {
        let content = line.held
        line = SecretBuilder()
        guard content.byteCount > 0 else { return true }
        do throws(EtcdError) {
            for event in try events(content) where !receive(event) {
                hasEnded = true
                return false
            }
            return true
        } catch {
            failure = error
            return false
        }
    }

    private func events(_ content: HeldSecret) throws(EtcdError) -> [EtcdClient.WatchEvent] {
        guard let root = (try? JSONTree(content))?.root else { throw .unexpectedAnswer("not an answer of etcd") }
        if let error = root["error"] {
            let code = error["grpc_code"] ?? error["code"]
            throw .refused(
                code: Int(code?.integer ?? 2),
                text: error["message"]?.text ?? error.text ?? "the watch failed"
            )
        }
        guard let result = root["result"] else { throw .unexpectedAnswer("a message without a result") }
        if result["canceled"]?.isTrue ?? false {
            if result.number("compact_revision") > 0 { return [.compacted] }
            throw .refused(code: 7, text: result["cancel_reason"]?.text ?? "the watch was canceled")
        }
        if result["created"]?.isTrue ?? false { return [.began] }
        guard let events = result["events"]?.elements else { return [.progress(result.revision)] }
        var values: [EtcdValue] = []
        for event in events where event["type"]?.text != "DELETE" {
            if let value = event["kv"] { values.append(try value.value()) }
        }
        return [.changed(values)]
    }
}
