package import CofferBasics
package import VaultFiles

/// Where etcd is, and how it is reached.
package struct EtcdSettings: Sendable {
    /// The addresses of members, such as `https://10.0.0.1:2379`.
    package var endpoints: [String]
    package var files = TLSFiles()
    /// The credential, besides the certificate; nil if etcd has no users.
    package var credential: EtcdCredential?
    /// The time after which a request is given up, over all endpoints.
    package var bound = Duration.seconds(10)

    package init(endpoints: [String]) {
        self.endpoints = endpoints
    }
}

/// A password or a token, which is read again when etcd rejects the token.
package enum EtcdCredential: Sendable {
    /// The password of a user, for which etcd gives a token.
    case password(user: String, @Sendable () throws(EtcdError) -> HeldSecret)
    /// A token from elsewhere.
    case token(@Sendable () throws(EtcdError) -> HeldSecret)
}

/// Requests to etcd, from version 3.4 on, through its gateway for JSON.
///
/// Each request goes to the endpoint that worked last, and to the others if that one does not answer. What is sent twice
/// in this way must not harm: reads, and transactions whose conditions hold only once.
package final class EtcdClient: Sendable {
    let settings: EtcdSettings
    private let time: any TimeSource
    private let state: Guarded<State>

    private struct State: ~Copyable {
        /// The endpoint that worked last.
        var endpoint: Int
        /// Connections that no request uses.
        var idle: [HTTPConnection] = []
        /// What the user authenticates with.
        var token: HeldSecret?
    }

    /// How long one attempt may take: the election of a leader takes less.
    private static let attempt = Duration.seconds(2)

    package init(_ settings: EtcdSettings, time: any TimeSource) throws(EtcdError) {
        guard !settings.endpoints.isEmpty else { throw .unexpectedAnswer("no endpoint is named") }
        (self.settings, self.time) = (settings, time)
        // Clients spread over the members.
        state = Guarded(State(endpoint: Int.random(in: settings.endpoints.indices)))
    }

    // MARK: - Requests

    /// Reads keys: what a quorum agrees on, at a revision unless that is 0.
    package func read(_ keys: EtcdKeys, limit: Int, revision: Int64) throws(EtcdError) -> EtcdFound {
        let found = try call("/v3/kv/range") { json in
            json.object {
                json.keys(keys)
                if limit > 0 { json.member("limit", Int64(limit)) }
                if revision > 0 { json.member("revision", revision) }
            }
        }.node.found()
        guard found.values.allSatisfy({ keys.contain($0.key) }), limit == 0 || found.values.count <= limit else {
            throw .unexpectedAnswer("other keys than those that were read")
        }
        return found
    }

    /// Carries out a transaction, which may be sent several times.
    package func transact(_ transaction: EtcdTransaction) throws(EtcdError) -> EtcdOutcome {
        let (node, isRepeated) = try call("/v3/kv/txn") { $0.transaction(transaction) }
        var outcome = try node.outcome()
        outcome.isRepeated = isRepeated
        return outcome
    }

    /// Makes a lease, and returns its number.
    package func grantLease(seconds: Int) throws(EtcdError) -> Int64 {
        let answer = try call("/v3/lease/grant") { json in json.object { json.member("TTL", Int64(seconds)) } }.node
        guard answer.number("ID") != 0 else { throw .unexpectedAnswer("a lease without a number") }
        return answer.number("ID")
    }

    /// Renews a lease; returns false if it has ended.
    package func keepLease(_ lease: Int64) throws(EtcdError) -> Bool {
        let answer = try call("/v3/lease/keepalive") { json in json.object { json.member("ID", lease) } }.node
        return (answer["result"]?.number("TTL") ?? 0) > 0
    }

    /// Ends a lease; one that has ended is no error.
    package func revokeLease(_ lease: Int64) throws(EtcdError) {
        do throws(EtcdError) {
            _ = try call("/v3/lease/revoke") { json in json.object { json.member("ID", lease) } }
        } catch {
            guard case .refused(5, _) = error else { throw error }
        }
    }

    /// Returns the status of one member.
    package func member(at endpoint: String) throws(EtcdError) -> EtcdMember {
        let answer = try call("/v3/maintenance/status", at: [endpoint]) { json in json.object {} }.node
        let limit = answer.number("dbSizeQuota")
        return EtcdMember(answer, byteCountLimit: limit > 0 ? limit : try byteCountLimit(at: endpoint))
    }

    /// The quota of a member's database, which versions before 3.6 report only among their metrics; nil if it is not there.
    private func byteCountLimit(at endpoint: String) throws(EtcdError) -> Int64? {
        var request = HTTPRequest(address: endpoint + "/metrics", body: nil)
        request.timeout = Self.attempt
        let (answer, connection) = (Answer(), try takeConnection())
        do throws(HTTPFailure) {
            _ = try connection.send(request, receive: answer.take)
        } catch {
            return nil
        }
        return answer.metric("etcd_server_quota_backend_bytes")
    }

    // MARK: - Attempts

    /// The result of one attempt.
    private enum Attempt {
        case answered(JSONNode)
        /// Another attempt may help, unless the failure lasts; then another endpoint may.
        case failed(String, hadNoEffect: Bool, lasts: Bool)
        case refused(code: Int, String)
        /// The token is missing, wrong or too old.
        case unauthenticated(String)
    }

    /// Makes a request until one of the endpoints, by default all, answers, or the time is over; it is repeated if an
    /// earlier attempt may have had an effect.
    private func call(
        _ path: String,
        at endpoints: [String]? = nil,
        mayAuthenticate: Bool = true,
        _ body: (JSONWriter) -> Void
    ) throws(EtcdError) -> (node: JSONNode, isRepeated: Bool) {
        let content = SecretBuilder()
        body(JSONWriter(to: content))
        let end = time.monotonicNanoseconds() + UInt64(settings.bound.milliseconds) * 1_000_000
        var failures: [EndpointFailure] = []
        var (hadNoEffect, mayAuthenticate, round) = (true, mayAuthenticate && settings.credential != nil, 0)
        var lastingCount = 0
        let all = endpoints ?? settings.endpoints
        let first = endpoints == nil ? state.withLock { $0.endpoint } : 0
        while true {
            let number = (first + round) % all.count
            let endpoint = all[number]
            let now = time.monotonicNanoseconds()
            guard now < end, lastingCount < all.count else {
                throw .unavailable(failures, hadNoEffect: hadNoEffect)
            }
            let left = min(Self.attempt.milliseconds, Int64((end - now) / 1_000_000) + 1)
            switch try attempt(endpoint, path, content.held, milliseconds: left, &hadNoEffect) {
            case .answered(let node):
                if endpoints == nil { state.withLock { $0.endpoint = number } }
                return (node, !hadNoEffect)
            case .refused(let code, let text):
                // The refusal says nothing about an earlier attempt.
                guard hadNoEffect else {
                    throw .unavailable([EndpointFailure(endpoint: endpoint, text: text)], hadNoEffect: false)
                }
                throw .refused(code: code, text: text)
            case .unauthenticated(let text):
                guard mayAuthenticate else { throw .refused(code: 16, text: text) }
                mayAuthenticate = false
                try authenticate()
                continue
            case .failed(let text, let hadNone, let lasts):
                failures.removeAll { $0.endpoint == endpoint }
                failures.append(EndpointFailure(endpoint: endpoint, text: text))
                hadNoEffect = hadNoEffect && hadNone
                lastingCount = lasts ? lastingCount + 1 : 0
            }
            round += 1
            // Not at once, when all have failed: an election takes a second.
            if round % all.count == 0, lastingCount < all.count { time.sleep(nanoseconds: 100_000_000) }
        }
    }

    private func attempt(
        _ endpoint: String,
        _ path: String,
        _ body: HeldSecret,
        milliseconds: Int64,
        _ hadNoEffect: inout Bool
    ) throws(EtcdError) -> Attempt {
        var request = HTTPRequest(address: endpoint + path, body: body)
        // The server gives up first, so that its answer says whether there was an effect.
        request.timeout = .milliseconds(milliseconds + 1000)
        request.headers.append("Grpc-Timeout: \(milliseconds)m\nContent-Type: application/json\n".utf8)
        addToken(to: request.headers)
        let answer = Answer()
        let connection = try takeConnection()
        let status: Int
        do throws(HTTPFailure) {
            let mayBeRepeated: Bool
            (status, mayBeRepeated) = try connection.send(request, receive: answer.take)
            if mayBeRepeated { hadNoEffect = false }
        } catch {
            return answer.isTooLong
                ? .failed("an answer is too long", hadNoEffect: false, lasts: true)
                : .failed(error.text, hadNoEffect: error.wasNotSent, lasts: error.lasts)
        }
        state.withLock { $0.idle.append(connection) }
        return answer.attempt(status)
    }

    /// Calls `body` with the endpoint that worked last; if it fails, another one is next.
    func withEndpoint(_ body: (String) throws(EtcdError) -> Void) throws(EtcdError) {
        let number = state.withLock { $0.endpoint }
        do throws(EtcdError) {
            try body(settings.endpoints[number])
        } catch {
            state.withLock { if $0.endpoint == number { $0.endpoint = (number + 1) % settings.endpoints.count } }
            throw error
        }
    }

    func takeConnection() throws(EtcdError) -> HTTPConnection {
        if let idle = state.withLock({ $0.idle.popLast() }) { return idle }
        do throws(LibcurlError) {
            return try HTTPConnection(Libcurl.shared.get(), settings.files)
        } catch {
            throw .library(error)
        }
    }

    /// Gets a token if the user has none yet.
    func authenticateIfNeeded() throws(EtcdError) {
        if settings.credential != nil, state.withLock({ $0.token == nil }) { try authenticate() }
    }

    /// Forgets the token, which etcd no longer accepts.
    func forgetToken() { state.withLock { $0.token = nil } }

    func addToken(to headers: SecretBuilder) {
        state.withLock { state in
            guard state.token != nil else { return }
            headers.append("Authorization: ".utf8)
            state.token?.withSpan { headers.append(copying: $0) }
            headers.append(UInt8(ascii: "\n"))
        }
    }

    /// Gets a token.
    private func authenticate() throws(EtcdError) {
        state.withLock { $0.token = nil }
        let token =
            switch settings.credential {
            case .password(let user, let password): try newToken(user, password())
            case .token(let token): try token()
            case nil: throw .unexpectedAnswer("it demands a user")
            }
        // It becomes a part of a header, so it must be visible characters.
        guard (1...900).contains(token.byteCount),
            token.withSpan({ bytes in bytes.indices.allSatisfy { (0x21...0x7E).contains(bytes[$0]) } })
        else { throw .unexpectedAnswer("a token is too long, or has blanks") }
        state.withLock { $0.token = token }
    }

    private func newToken(_ user: String, _ password: HeldSecret) throws(EtcdError) -> HeldSecret {
        let answer = try call("/v3/auth/authenticate", mayAuthenticate: false) { json in
            json.object {
                json.key("name")
                json.string(user)
                json.key("password")
                json.string(password)
            }
        }.node
        guard let token = answer["token"]?.secret else { throw .unexpectedAnswer("no token") }
        return token
    }

    /// The bytes of an answer.
    private final class Answer {
        /// A range of frames and pieces, in base64, fits; more is nothing that etcd was asked for.
        static let byteCountLimit = 64 << 20

        private let content = SecretBuilder()
        private(set) var isTooLong = false

        func take(_ part: Span<UInt8>) -> Bool {
            isTooLong = content.byteCount + part.count > Self.byteCountLimit
            if !isTooLong { content.append(copying: part) }
            return !isTooLong
        }

        /// The number behind a name at the beginning of a line.
        func metric(_ name: String) -> Int64? {
            let text = content.withSpan { String(decoding: [UInt8](copying: $0), as: UTF8.self) }
            let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
            return line.flatMap { Double($0.dropFirst(name.count + 1)) }.flatMap(Int64.init(exactly:))
        }

        func attempt(_ status: Int) -> Attempt {
            let root = (try? JSONTree(content.held))?.root
            if status == 200, let root, root["header"] ?? root["result"] != nil { return .answered(root) }
            guard status != 200, let root, case let code = root.number("code"), (1...16).contains(code) else {
                return notOfEtcd(status)
            }
            // Version 3.6 leaves `error` out.
            let text = (root["message"]?.text ?? root["error"]?.text ?? "status \(status)").shownOfServer
            switch code {
            case 16: return .unauthenticated(text)
            case 3 where text.contains(text: "user name is empty"): return .unauthenticated(text)
            // Cancelled, unknown, deadline exceeded, unavailable.
            case 1, 2, 4, 14: return .failed(text, hadNoEffect: false, lasts: false)
            default: return .refused(code: Int(code), text)
            }
        }

        /// What comes from another program, perhaps one that passes requests on to etcd and gave up.
        private func notOfEtcd(_ status: Int) -> Attempt {
            let bytes = content.withSpan { [UInt8](copying: $0.extracting(..<min($0.count, 1000))) }
            let text = String(decoding: bytes, as: UTF8.self).shownOfServer
            if text.hasPrefix("CommonName of client") {
                return .refused(code: 16, "etcd with users refuses certificates with a common name; use one without")
            }
            // Such as a request that took too long, or too many of them.
            let isTransient = status >= 500 || [408, 429, 499].contains(status)
            return .failed(
                "not an answer of etcd, with status \(status): \(text)",
                hadNoEffect: (300..<500).contains(status) && ![408, 499].contains(status),
                lasts: !isTransient
            )
        }
    }
}

extension String {
    /// The beginning of a text of a server, without what could control a terminal.
    fileprivate var shownOfServer: String { String(prefix(200)).escapingInvisible }
}
