/// Why a request failed at one endpoint.
package struct EndpointFailure: Equatable, Sendable {
    package let endpoint: String
    package let text: String

    package init(endpoint: String, text: String) {
        (self.endpoint, self.text) = (endpoint, text)
    }
}

/// Why a request to etcd has no answer.
package enum EtcdError: Error, Equatable {
    /// etcd refused the request, which had no effect; with the number of gRPC.
    case refused(code: Int, text: String)
    /// No endpoint answered in time. Unless `hadNoEffect`, the request may have been carried out, or still may be.
    case unavailable([EndpointFailure], hadNoEffect: Bool)
    /// An answer does not have the form that etcd documents.
    case unexpectedAnswer(String)
    /// libcurl cannot be used.
    case library(LibcurlError)
    /// The password or the token cannot be read.
    case noCredential(String)
}

extension EndpointFailure: CustomStringConvertible {
    package var description: String { "\(endpoint): \(text)" }
}

extension EtcdError: CustomStringConvertible {
    /// Why, and what to do.
    package var description: String {
        switch self {
        case .refused(8, let text) where text.contains("space"):
            """
            the database of etcd is full (\(text)); compact and defragment it or raise its quota, and run \
            "etcdctl alarm disarm"
            """
        case .refused(_, let text): text
        case .unavailable(let failures, _): failures.map(\.description).joined(separator: "; ")
        case .unexpectedAnswer(let text): "unexpected answer of etcd: \(text)"
        case .library(let error): "libcurl cannot be used: \(error)"
        case .noCredential(let text): text
        }
    }
}
