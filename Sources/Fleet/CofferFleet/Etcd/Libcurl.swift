internal import CCofferCurl

/// Why libcurl cannot be used.
package enum LibcurlError: Error, Equatable {
    /// The program was linked statically, and would get a second C library with libcurl.
    case staticProgram
    /// The library is not there; with the text of the loader.
    case missing(String)
    /// The library lacks a function.
    case missingFunction(String)
    /// It would write the keys of connections to a file that the environment names.
    case writesKeys
    /// There is not enough memory.
    case outOfMemory
}

extension LibcurlError: CustomStringConvertible {
    /// Why, and what to do.
    package var description: String {
        switch self {
        case .staticProgram: "this program is linked statically and cannot load it; use the one from the package"
        case .missing(let text): "it is not installed (\(text)); install libcurl4"
        case .missingFunction(let name): "it is too old: it lacks \(name)"
        case .writesKeys: "with GnuTLS, it writes the keys of connections to SSLKEYLOGFILE; unset that variable"
        case .outOfMemory: "there is not enough memory"
        }
    }
}

/// The library of curl, found at run time, which is never unloaded.
@safe final class Libcurl: Sendable {
    /// Debian's package with OpenSSL, and the one with GnuTLS.
    static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]

    /// The library, which is loaded once, or the reason why it cannot be.
    static let shared = Result { () throws(LibcurlError) in try Libcurl(names) }

    let functions: coffer_curl

    /// Loads the first of these libraries that is there.
    init(_ names: [String]) throws(LibcurlError) {
        guard coffer_curl_is_static_program() == 0 else { throw .staticProgram }
        var hidden = coffer_curl_hidden()
        unsafe coffer_curl_hide(&hidden)
        defer { unsafe coffer_curl_show(&hidden) }
        var text = "no name"
        for name in names {
            guard let library = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
                text = unsafe dlerror().map { unsafe String(cString: $0) } ?? "unknown error"
                continue
            }
            functions = try unsafe Self.functions(of: library)
            // OpenSSL and sockets, as `curl_easy_init` would; it may be called by any thread since version 7.84.
            guard functions.curl_global_init(3) == 0 else { throw .outOfMemory }
            guard unsafe !withUnsafePointer(to: functions, { unsafe coffer_curl_writes_keys($0, &hidden) }) else {
                throw .writesKeys
            }
            return
        }
        throw .missing(text)
    }

    private static func functions(of library: UnsafeMutableRawPointer) throws(LibcurlError) -> coffer_curl {
        try unsafe withUnsafeTemporaryAllocation(of: coffer_curl.self, capacity: 1) { (memory) throws(LibcurlError) in
            guard let functions = memory.baseAddress else { throw .outOfMemory }
            if let missing = unsafe coffer_curl_find(functions, library) {
                throw .missingFunction(unsafe String(cString: missing))
            }
            return unsafe functions.pointee
        }
    }
}
