/// What one endpoint said.
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
    /// No endpoint answered in time. A request that changes something may have been carried out all the same, or may be
    /// carried out later, unless `hadNoEffect`.
    case unavailable([EndpointFailure], hadNoEffect: Bool)
    /// An answer is not what etcd says.
    case unexpectedAnswer(String)
    /// libcurl cannot be used.
    case library(LibcurlError)
    /// The password of the user cannot be had.
    case noCredential(String)
}
