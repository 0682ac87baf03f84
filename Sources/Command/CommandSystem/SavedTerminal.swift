internal import Glibc
internal import Synchronization

/// The settings of a terminal, and a text to write to it, for a signal that ends the process before it can restore them.
@safe struct SavedTerminal {
    /// For signal handlers, which must not access Swift objects: the terminal, its settings and the text.
    private static let terminal = Atomic<Int32>(-1)
    private static let settings = Atomic<UInt>(0)
    private static let text = Atomic<UInt>(0)
    private static let textByteCount = Atomic<Int>(0)

    private let descriptor: Int32
    private let former: UnsafeMutablePointer<termios>
    private let farewell: UnsafeMutableBufferPointer<UInt8>

    /// Saves the settings until `end()`; nil if the descriptor is none of a terminal.
    init?(_ descriptor: Int32, farewell bytes: [UInt8] = []) {
        var settings = termios()
        guard unsafe tcgetattr(descriptor, &settings) == 0 else { return nil }
        self.descriptor = descriptor
        unsafe former = .allocate(capacity: 1)
        unsafe former.initialize(to: settings)
        unsafe farewell = .allocate(capacity: bytes.count)
        unsafe _ = farewell.initialize(from: bytes)
        unsafe Self.settings.store(UInt(bitPattern: former), ordering: .sequentiallyConsistent)
        unsafe Self.text.store(UInt(bitPattern: farewell.baseAddress), ordering: .sequentiallyConsistent)
        Self.textByteCount.store(bytes.count, ordering: .sequentiallyConsistent)
        Self.terminal.store(descriptor, ordering: .sequentiallyConsistent)
    }

    /// The saved settings.
    var modes: termios { unsafe former.pointee }

    /// Forgets the settings, which the caller has restored.
    func end() {
        Self.terminal.store(-1, ordering: .sequentiallyConsistent)
        unsafe former.deallocate()
        unsafe farewell.deallocate()
    }

    /// Writes the text and restores the settings, if any are saved; safe in a signal handler.
    static func restore() {
        let descriptor = terminal.load(ordering: .sequentiallyConsistent)
        guard descriptor >= 0 else { return }
        let address = text.load(ordering: .sequentiallyConsistent)
        let byteCount = textByteCount.load(ordering: .sequentiallyConsistent)
        if byteCount > 0 { unsafe _ = write(descriptor, UnsafeRawPointer(bitPattern: address), byteCount) }
        let former = unsafe UnsafePointer<termios>(bitPattern: settings.load(ordering: .sequentiallyConsistent))
        guard let former = unsafe former else { return }
        unsafe _ = tcsetattr(descriptor, TCSAFLUSH, former)
    }
}
