/// The version of Coffer: of its libraries and its command.
package enum Version {
    package static let text = "0.1.0-dev"
}
