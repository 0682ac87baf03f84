internal import Glibc
internal import VaultFiles

/// The arguments and variables of a program in the form that the system takes.
enum ProgramMemory {
    typealias Pointers = [UnsafeMutablePointer<CChar>?]

    /// Calls `body` with the arguments and the environment of a program.
    ///
    /// - Parameters:
    ///   - words: The arguments.
    ///   - program: The program, which says what variables of this process it does not get.
    ///   - variables: Additional variables, which are not copied because they are secret.
    ///   - body: The function to call.
    /// - Returns: What `body` returns.
    static func with<Result>(
        _ words: [String],
        _ program: ProgramCall,
        adding variables: Span<UInt8>,
        _ body: (_ arguments: Pointers, _ environment: Pointers) -> Result
    ) -> Result {
        let arguments: Pointers = unsafe words.map { word in unsafe strdup(word) }
        defer { unsafe arguments.forEach { unsafe free($0) } }
        return unsafe variables.withUnsafeBytes { bytes in
            let added = unsafe pointers(to: bytes)
            let kept = unsafe kept(program, besides: added)
            return unsafe body(arguments + [nil], kept + added + [nil])
        }
    }

    /// A pointer to the beginning of each variable.
    private static func pointers(to bytes: UnsafeRawBufferPointer) -> Pointers {
        var pointers: Pointers = unsafe []
        var isStart = true
        for index in bytes.indices {
            if isStart, let base = bytes.baseAddress {
                let start = unsafe (base + index).assumingMemoryBound(to: CChar.self)
                unsafe pointers.append(UnsafeMutablePointer(mutating: start))
            }
            isStart = unsafe bytes[index] == 0
        }
        return unsafe pointers
    }

    /// The variables of this process that the program also gets.
    private static func kept(_ program: ProgramCall, besides added: Pointers) -> Pointers {
        var kept: Pointers = unsafe []
        var next = unsafe environ
        while let variable = unsafe next.pointee {
            let isReplaced = unsafe added.contains { other in unsafe isSameName(variable, other) }
            let isRemoved = program.removedPrefixes.contains { prefix in
                unsafe strncmp(variable, prefix, prefix.utf8.count) == 0
            }
            if !isReplaced, !isRemoved { unsafe kept.append(variable) }
            unsafe next += 1
        }
        return unsafe kept
    }

    private static func isSameName(_ one: UnsafeMutablePointer<CChar>, _ other: UnsafeMutablePointer<CChar>?) -> Bool {
        guard let other = unsafe other, let end = unsafe strchr(other, Int32(UInt8(ascii: "="))) else { return false }
        return unsafe strncmp(one, other, end - other + 1) == 0
    }
}
