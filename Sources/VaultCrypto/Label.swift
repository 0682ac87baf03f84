/// Sixteen bytes that separate one use of a key or hash from all others.
package struct Label: Sendable, Hashable {
    package static let byteCount = 16

    package let bytes: [UInt8]

    /// The label `coffer1.` followed by `name`, padded with zero bytes.
    private init(_ name: StaticString) {
        var bytes = Array("coffer1.".utf8) + name.withUTF8Buffer { unsafe Array($0) }
        precondition(bytes.count <= Self.byteCount, "a label has at most 16 bytes")
        bytes.append(contentsOf: repeatElement(0, count: Self.byteCount - bytes.count))
        self.bytes = bytes
    }
}

extension Label {
    // Section 1: boxes and nonces.
    package static let nonce = Label("nonce")
    package static let text = Label("text")
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
    package static let groupID = Label("groupid")
    package static let group = Label("group")
    package static let groupName = Label("name")
    package static let grant = Label("grant")
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
    package static let blockList = Label("list")
    package static let fence = Label("fence")
    package static let block = Label("block")
    package static let run = Label("run")

    // Sections 8 and 9: records and items.
    package static let item = Label("item")
    package static let applicationPassword = Label("apppass")
    package static let settings = Label("settings")
    package static let primaryKey = Label("pkey")
    package static let attribute = Label("attr")
    package static let sha1 = Label("sha1")

    // Sections 11 and 12: other files.
    package static let anchor = Label("anchor")
    package static let recoveryCheck = Label("check")
    package static let place = Label("place")
}
