internal import CCofferLinux
internal import Glibc

/// The kernel's notifications about a name in a directory and about the file with that name.
///
/// The directory reports when another file gets the name; the file reports when its bytes change.
struct FileNotifications {
    /// What has been reported since the last time.
    enum News: Equatable {
        case none
        case changed
        /// Something changed, and later changes may go unreported.
        case lost
    }

    private static let directoryEvents =
        IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVE_SELF | IN_DELETE_SELF
    private static let fileEvents = IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF

    let descriptor: Descriptor
    private let name: String
    private let directory: LinuxDirectory
    private let directoryWatch: Int32
    /// Nil while no file has the name.
    private var fileWatch: Int32?

    /// Starts watching; fails if the system does not offer that, for whatever reason.
    init?(of name: String, in directory: any OpenDirectory) {
        guard let directory = directory as? LinuxDirectory, directory.isOnThisMachine,
            let number = try? LinuxFile.descriptor(
                .watch,
                directory.path,
                { inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)) }
            )
        else { return nil }
        descriptor = Descriptor(number)
        self.name = name
        self.directory = directory
        directoryWatch = unsafe inotify_add_watch(
            number,
            "/proc/self/fd/\(directory.descriptor)",
            UInt32(Self.directoryEvents | IN_ONLYDIR)
        )
        guard directoryWatch >= 0, watchFile() else { return nil }
    }

    /// Takes what has been reported, and watches the file that now has the name.
    ///
    /// A caller that looks at the file afterwards misses nothing: a later change is reported the next time.
    mutating func take() -> News {
        switch readEvents() {
        case .none: .none
        case .changed: watchFile() ? .changed : .lost
        case .lost: .lost
        }
    }

    /// Watches the file that now has the name, if any, in place of the previous one.
    ///
    /// - Returns: Whether a change of the file will be reported.
    private mutating func watchFile() -> Bool {
        // The path leads to the open directory, even if that is moved.
        let watch = unsafe inotify_add_watch(
            descriptor.number,
            "/proc/self/fd/\(directory.descriptor)/\(name)",
            UInt32(Self.fileEvents | IN_DONT_FOLLOW)
        )
        // If the file does not exist, the directory reports when it is created.
        guard watch >= 0 || errno == ENOENT else { return false }
        if let old = fileWatch, old != watch { inotify_rm_watch(descriptor.number, old) }
        fileWatch = watch >= 0 ? watch : nil
        return true
    }

    /// Reads all events that have arrived.
    private func readEvents() -> News {
        var news = News.none
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let byteCount = unsafe buffer.withUnsafeMutableBytes { buffer in
                SystemCall.retryingInterrupted { unsafe read(descriptor.number, buffer.baseAddress, buffer.count) }
            }
            guard byteCount > 0 else { return byteCount < 0 && errno == EAGAIN ? news : .lost }
            var event = buffer[..<byteCount]
            while let next = Event(takingFrom: &event) {
                switch meaning(of: next) {
                case .none: break
                case .changed where news == .lost: break
                case let meaning: news = meaning
                }
            }
        }
    }

    private func meaning(of event: Event) -> News {
        // The kernel's queue overflowed.
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return .changed }
        if event.watch == directoryWatch {
            if event.mask & UInt32(IN_IGNORED | IN_UNMOUNT) != 0 { return .lost }
            // Events about the directory itself have no name.
            return event.name.isEmpty || event.name.elementsEqual(name.utf8) ? .changed : .none
        }
        return event.watch == fileWatch ? .changed : .none
    }
}

/// One event from the kernel.
private struct Event {
    let watch: Int32
    let mask: UInt32
    let name: ArraySlice<UInt8>

    /// Takes the first event from `bytes`, or returns nil if none exists.
    init?(takingFrom bytes: inout ArraySlice<UInt8>) {
        let headByteCount = MemoryLayout<inotify_event>.size
        guard bytes.count >= headByteCount else { return nil }
        let head = unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: inotify_event.self) }
        watch = head.wd
        mask = head.mask
        // The name is padded with zeros.
        name = bytes.dropFirst(headByteCount).prefix(Int(head.len)).prefix { $0 != 0 }
        bytes = bytes.dropFirst(headByteCount + Int(head.len))
    }
}
