import CofferBasics
import CofferFleet
import Foundation
import Glibc
import Testing
import TestSupport
import VaultFiles

/// Servers that are not etcd, or pass requests on to it.
@Suite("Servers that are not etcd", .waiting) struct OtherServerTests {
    private static let key = Array("fleet/head".utf8)

    /// What a server does with a request.
    struct Behaviour: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String
        var hadNoEffect = false
        let serve: @Sendable (LoopbackConnection) -> Void

        /// A server that always sends these bytes.
        static func answer(_ name: String, _ bytes: String, _ text: String, hadNoEffect: Bool = false) -> Behaviour {
            Behaviour(testDescription: name, text: text, hadNoEffect: hadNoEffect) { _ = $0.write(Array(bytes.utf8)) }
        }

        /// A server that sends these bytes again and again.
        static func endless(_ name: String, _ start: String, _ part: String, _ text: String) -> Behaviour {
            Behaviour(testDescription: name, text: text) { connection in
                guard connection.write(Array(start.utf8)) else { return }
                while connection.write(Array(part.utf8)) {}
            }
        }
    }

    private static let behaviours: [Behaviour] = [
        .answer(
            "a page",
            "HTTP/1.1 200 OK\r\n\r\n<html>\u{1B}[31mWelcome",
            #"not an answer of etcd, with status 200: <html>\u{1B}[31mWelcome"#
        ),
        .answer("a list", "HTTP/1.1 200 OK\r\n\r\n[]", "not an answer of etcd, with status 200: []"),
        .answer("an object", "HTTP/1.1 200 OK\r\n\r\n{}", "not an answer of etcd, with status 200: {}"),
        .answer(
            "nothing there",
            "HTTP/1.1 404 Not Found\r\n\r\nnot here",
            "with status 404: not here",
            hadNoEffect: true
        ),
        .answer(
            "an error of another service",
            "HTTP/1.1 403 No\r\n\r\n{\"code\":403,\"message\":\"no\"}",
            "not an answer of etcd, with status 403",
            hadNoEffect: true
        ),
        .endless("an endless answer", "HTTP/1.1 200 OK\r\n\r\n", String(repeating: "x", count: 1 << 20), "too long"),
    ]

    /// A server whose failures may end.
    private static let transient: [Behaviour] = [
        .answer("a proxy that gave up", "HTTP/1.1 504 Gateway Timeout\r\n\r\n<html>", "with status 504"),
        .answer("no HTTP", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP"),
        .answer("a part of an answer", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"header\":{}", "88 bytes"),
        .endless("endless headers", "HTTP/1.1 200 OK\r\n", "X: \(String(repeating: "x", count: 1000))\r\n", "eader"),
        .endless("one long header", "HTTP/1.1 200 OK\r\n", String(repeating: "x", count: 1000), "eader"),
        Behaviour(testDescription: "a slow answer", text: "timed out") { connection in
            guard connection.write(Array("HTTP/1.1 200 OK\r\n\r\n".utf8)) else { return }
            while connection.write([0x20]) { usleep(100_000) }
        },
    ]

    private static func client(_ servers: LoopbackServer..., bound: Duration) throws -> EtcdClient {
        var settings = EtcdSettings(endpoints: servers.map { "http://127.0.0.1:\($0.port)" })
        settings.bound = bound
        settings.credential = .password(user: "kim") { () throws(EtcdError) in
            HeldSecret(copying: Array("hunter2".utf8).span)
        }
        return try EtcdClient(settings, time: MachineTime())
    }

    private func check(_ behaviour: Behaviour, bound: Duration, takes limit: Duration) throws {
        let server = try LoopbackServer { connection in
            guard connection.read() != nil else { return true }
            behaviour.serve(connection)
            return true
        }
        let start = ContinuousClock.now
        let error = #expect(throws: EtcdError.self) {
            try Self.client(server, bound: bound).transact(EtcdTransaction([.put(Self.key, [1])]))
        }
        #expect(ContinuousClock.now - start < limit)
        guard case .unavailable(let failures, behaviour.hadNoEffect) = error, let failure = failures.first else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(failures.count == 1 && failure.endpoint == "http://127.0.0.1:\(server.port)")
        #expect(failure.text.contains(behaviour.text) && failure.text.utf8.count < 400, "\(failure.text)")
    }

    @Test(arguments: behaviours) func `what is not etcd is named at once`(_ behaviour: Behaviour) throws {
        try check(behaviour, bound: .seconds(20), takes: .seconds(10))
    }

    @Test(arguments: transient) func `what may pass is tried again until the time is over`(_ behaviour: Behaviour)
        throws
    {
        try check(behaviour, bound: .seconds(1), takes: .seconds(4))
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect is not followed, and no token goes elsewhere`(status: Int) throws {
        let wasReached = Guarded(false)
        let other = try LoopbackServer { _ in
            wasReached.withLock { $0 = true }
            return true
        }
        let server = try LoopbackServer { connection in
            guard let request = connection.read().map({ String(decoding: $0, as: UTF8.self) }) else { return true }
            let answer =
                if request.contains("/v3/auth/authenticate") {
                    "HTTP/1.1 200 OK\r\n\r\n{\"header\":{},\"token\":\"secret\"}"
                } else if request.contains("Authorization: secret") {
                    "HTTP/1.1 \(status) Elsewhere\r\nLocation: http://127.0.0.1:\(other.port)/v3/kv/txn\r\n\r\n"
                } else {
                    "HTTP/1.1 401 No\r\n\r\n{\"code\":16,\"message\":\"no token\"}"
                }
            _ = connection.write(Array(answer.utf8))
            return true
        }
        let client = try Self.client(server, bound: .seconds(20))
        let error = #expect(throws: EtcdError.self) { try client.transact(EtcdTransaction([.put(Self.key, [1])])) }
        let failure = EndpointFailure(
            endpoint: "http://127.0.0.1:\(server.port)",
            text: "not an answer of etcd, with status \(status): "
        )
        // The connection was used before, so libcurl may have sent the request twice.
        #expect(error == .unavailable([failure], hadNoEffect: false))
        #expect(throws: EtcdError.self) { try client.watch(.one(Self.key)) { _ in true } }
        #expect(!wasReached.withLock { $0 })
    }

    @Test(arguments: [
        (EtcdKeys.one([2]), [[2, 1]]), (.one([2]), [[1]]), (.all(under: [2]), [[1, 9]]), (.all(under: [2]), [[3]]),
        (.range(from: [2, 2], to: [2, 4]), [[2, 1]]), (.all(under: [2]), [[2, 1], [2, 2]]),
    ])
    func `an answer with other keys than those that were read is refused`(keys: EtcdKeys, answer: [[UInt8]]) throws {
        let values = answer.map { "{\"key\":\"\(Data($0).base64EncodedString())\"}" }.joined(separator: ",")
        let server = try LoopbackServer { connection in
            _ = connection.read()
            return connection.write(Array("HTTP/1.1 200 OK\r\n\r\n{\"header\":{},\"kvs\":[\(values)]}".utf8))
        }
        #expect(throws: EtcdError.unexpectedAnswer("other keys than those that were read")) {
            try Self.client(server, bound: .seconds(20)).read(keys, limit: 1)
        }
    }

    @Test func `another endpoint answers instead`() throws {
        let other = try LoopbackServer { connection in
            _ = connection.read()
            return connection.write(Array("HTTP/1.1 404 Not Found\r\n\r\n".utf8))
        }
        let server = try LoopbackServer { connection in
            _ = connection.read()
            return connection.write(Array("HTTP/1.1 200 OK\r\n\r\n{\"header\":{\"revision\":\"7\"}}".utf8))
        }
        for _ in 0..<10 {
            #expect(try Self.client(other, server, bound: .seconds(20)).read(.one(Self.key)).revision == 7)
        }
    }
}
