/// A wrapped key of section 3.3.
struct SketchWrap {
    let type: UInt16
    var key: [UInt8]
    var fields: [UInt8]
    /// The commitment input; nil means the fields.
    var input: [UInt8]?
    var wrappingKey: [UInt8]
    /// The key that the commitment is computed from, if it differs from `key`.
    var committedKey: [UInt8]?

    typealias Edit = (inout SketchWrap) -> Void
}

extension VaultSketch {
    func sealed(_ wrap: SketchWrap, _ edit: SketchWrap.Edit) -> SketchEntry {
        var wrap = wrap
        edit(&wrap)
        let head = id + u16(wrap.type)
        let commitment = H(32, wrap.committedKey ?? wrap.key, "commit", head + (wrap.input ?? wrap.fields))
        let body = wrap.fields + commitment
        let wrapped = randomness.sealed(H(32, wrap.wrappingKey, "wrap", id), head + body, wrap.key)
        return SketchEntry(type: wrap.type, body: body + wrapped)
    }

    /// Returns an entry of type 16: Ks under UR, or under the root of `device`.
    func structureKeyEntry(device: SketchDevice? = nil, _ edit: SketchWrap.Edit = { _ in }) -> SketchEntry {
        let fields = [device == nil ? 1 : 2] + zeros(3) + u32(epoch) + (device?.id ?? zeros(16))
        let wrappingKey = device?.root ?? userRoot
        return sealed(
            SketchWrap(
                type: 16,
                key: structureKey,
                fields: fields,
                input: u32(epoch),
                wrappingKey: wrappingKey
            ),
            edit
        )
    }

    /// Returns an entry of type 17: the class key of DK under the root of `device`.
    func alwaysKeyEntry(_ device: SketchDevice, _ edit: SketchWrap.Edit = { _ in }) -> SketchEntry {
        sealed(
            SketchWrap(
                type: 17,
                key: classKey(.dk),
                fields: u32(epoch) + zeros(4) + device.id,
                input: u32(epoch),
                wrappingKey: device.root
            ),
            edit
        )
    }

    /// Returns an entry of type 18: the match key of `group` under the root of `device`.
    func matchKeyEntry(
        _ group: SketchGroup,
        _ device: SketchDevice,
        _ edit: SketchWrap.Edit = { _ in }
    ) -> SketchEntry {
        sealed(
            SketchWrap(
                type: 18,
                key: group.matchKey,
                fields: group.id + u32(group.epoch) + zeros(4) + device.id,
                input: group.id + u32(group.epoch),
                wrappingKey: device.root
            ),
            edit
        )
    }

    /// Returns an entry of type 20: a data key under its class key.
    func dataKeyEntry(_ key: SketchDataKey, _ edit: SketchWrap.Edit = { _ in }) -> SketchEntry {
        let fields =
            key.handle + key.group.id + u32(key.group.epoch) + [key.protection.rawValue] + zeros(3)
            + (key.owner?.id ?? zeros(16)) + u32(epoch)
        let wrappingKey = classKey(key.protection, owner: key.owner)
        return sealed(SketchWrap(type: 20, key: key.key, fields: fields, wrappingKey: wrappingKey), edit)
    }

    /// Returns an entry of type 22: an earlier UR.
    func previousRootEntry(
        epoch: UInt32,
        key: [UInt8],
        reserved: [UInt8] = zeros(4),
        _ edit: SketchWrap.Edit = { _ in }
    ) -> SketchEntry {
        sealed(
            SketchWrap(
                type: 22,
                key: key,
                fields: u32(epoch) + reserved,
                input: u32(epoch),
                wrappingKey: userRoot
            ),
            edit
        )
    }

    /// Returns an entry of type 19: the name of `group`.
    func groupNameEntry(
        _ group: SketchGroup,
        reserved: [UInt8] = zeros(4),
        _ edit: SketchBox.Edit = { _ in }
    ) -> SketchEntry {
        let context = id + group.id + u32(group.epoch)
        let box = SketchBox(group.key("name"), label("name") + context, Array(group.name.utf8), edit)
        let tag = H(32, groupRoot, "name", context + box.content)
        return SketchEntry(type: 19, body: group.id + u32(group.epoch) + reserved + tag + box.sealed(randomness))
    }

    /// Returns an entry of type 7: `device`, section 3.2.
    func deviceEntry(_ device: SketchDevice, reserved: [UInt8] = zeros(8)) -> SketchEntry {
        let fields = device.id + u64(1_700_000_000_000_000) + reserved
        return SketchEntry(type: 7, body: fields + device.commitment)
    }
}
