internal import CofferBasics

/// Sixteen bytes that separate one use of a key or hash from all others.
package struct Label: Sendable, Hashable {
    package static let byteCount = 16

    // The bytes in memory: numbers are copied without counting references.
    private let start: UInt64
    private let name: UInt64

    /// The label `coffer1.` followed by `name`, padded with zero bytes.
    private init(_ name: StaticString) {
        precondition(name.utf8CodeUnitCount <= 8, "a label has at most 16 bytes")
        start = Self.number("coffer1.")
        self.name = Self.number(name)
    }

    private static func number(_ text: StaticString) -> UInt64 {
        text.withUTF8Buffer { bytes in
            unsafe bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    package var bytes: [UInt8] { [UInt8](byteCount: Self.byteCount) { append(to: &$0) } }

    /// Appends the 16 bytes.
    package func append(to output: inout OutputSpan<UInt8>) {
        output.append(littleEndian: start)
        output.append(littleEndian: name)
    }

    /// Calls `body` with the address of the 16 bytes.
    func withPointer<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        unsafe withUnsafeBytes(of: (start.littleEndian, name.littleEndian)) { bytes in
            // Two numbers have an address.
            guard let address = bytes.baseAddress else { preconditionFailure("no address") }
            return unsafe body(address.assumingMemoryBound(to: UInt8.self))
        }
    }
}

extension Label {
    // Section 1: boxes and nonces.
    package static let nonce = Label("nonce")
    package static let file = Label("file")

    // Section 3: slots, devices, wrapped keys, groups, grants.
    package static let slot = Label("slot")
    package static let keyFile = Label("keyfile")
    package static let recoveryCode = Label("code")
    package static let deviceUnlock = Label("unlock")
    package static let device = Label("device")
    package static let commitment = Label("commit")
    package static let wrap = Label("wrap")
    package static let bothRoots = Label("both")
    package static let classKey = Label("class")
    package static let owner = Label("owner")
    package static let groupRoot = Label("groups")
    package static let groupID = Label("groupid")
    package static let group = Label("group")
    package static let groupName = Label("name")
    package static let grant = Label("grant")
    package static let granted = Label("granted")
    package static let note = Label("note")
    package static let revoked = Label("revoked")
    package static let request = Label("request")
    package static let metadata = Label("meta")
    package static let secret = Label("secret")
    package static let match = Label("match")
    package static let digest = Label("digest")
    package static let page = Label("page")
    package static let delete = Label("delete")
    package static let seen = Label("seen")

    // Section 4: the keys of a generation.
    package static let generation = Label("gen")
    package static let header = Label("header")
    package static let head = Label("head")
    package static let frame = Label("frame")
    package static let chain = Label("chain")
    package static let snapshot = Label("snapshot")

    // Section 5: the snapshot.
    package static let directory = Label("dir")
    package static let dictionary = Label("dict")
    package static let fence = Label("fence")
    package static let run = Label("run")

    // Sections 8 and 9: records and items.
    package static let item = Label("item")
    package static let applicationPassword = Label("apppass")
    package static let enrolled = Label("enrolled")
    package static let refresh = Label("refresh")
    package static let settings = Label("settings")
    package static let sha1 = Label("sha1")

    // Sections 11 and 12, and section 13 of `store.md`: other files.
    package static let anchor = Label("anchor")
    package static let index = Label("index")
    package static let recoveryCheck = Label("check")
    package static let place = Label("place")

    // `sync.md`: what is carried between machines.
    package static let piece = Label("piece")
}
