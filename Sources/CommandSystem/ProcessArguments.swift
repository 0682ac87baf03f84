internal import Glibc

/// The words that the process was started with.
package enum ProcessArguments {
    /// The words, the name of the program first; nil for one that is no text: to repair it would name something else.
    package static var words: [String?] {
        var words: [String?] = []
        for index in 0..<Int(CommandLine.argc) {
            guard let word = unsafe CommandLine.unsafeArgv[index] else { break }
            words.append(unsafe String(validatingCString: word))
        }
        return words
    }
}
