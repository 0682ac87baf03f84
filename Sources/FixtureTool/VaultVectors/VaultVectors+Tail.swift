// Section 7: the bytes after the last frame that verifies. Each vector exists twice, with and without a reserve.

extension VaultVectors {
    static let tail: [Vector] = (shortTails + zeroTails + garbageTails + bitflipTails + windowTails).flatMap { $0 }

    /// A vault of two frames and the part of a third that `make` leaves; both without and with a reserve of 4,096
    /// bytes.
    static func tail(
        _ name: String,
        _ verdict: String,
        withReserve: String? = nil,
        _ comment: String,
        vault edit: (inout VaultSketch) -> Void = { _ in },
        _ make: (VaultFile) -> [UInt8]
    ) -> [Vector] {
        var vault = VaultSketch(name)
        let readable = vault.append(vault.item("ann")) + vault.append(vault.item("bob"))
        vault.append(longItem(in: vault))
        edit(&vault)
        let file = vault.build()
        let bytes = make(file)
        let start = file.frames[2].lowerBound
        return [false, true].map { hasReserve in
            let body = bytes + zeros(hasReserve ? 4096 : 0)
            let expect = hasReserve ? withReserve ?? verdict : verdict
            let tail = expect == "success" || expect == "inconsistent" ? nil : "\(body.count - start)"
            return vector(
                hasReserve ? "\(name)_reserve" : name,
                expect,
                hasReserve ? "\(comment); with a reserve" : comment,
                body,
                readable: readable,
                tail.map { [("tail", $0)] } ?? []
            )
        }
    }

    /// An item whose frame spans several units of the medium.
    static func longItem(in vault: VaultSketch, _ name: String = "kim") -> SketchItem {
        vault.item(name, secret: String(repeating: "sesame ", count: 300))
    }

    private static let shortTails: [[Vector]] = [
        tail("tail_1_byte", "torn tail", "the first byte of a frame") {
            Array($0.bytes[..<($0.frames[2].lowerBound + 1)])
        },
        tail("tail_95_bytes", "torn tail", "the head of a frame but for its last byte") {
            Array($0.bytes[..<($0.frames[2].lowerBound + 95)])
        },
        tail("tail_head_only", "torn tail", "the head of a frame") {
            Array($0.bytes[..<($0.frames[2].lowerBound + 96)])
        },
        tail("tail_body_minus_1", "torn tail", withReserve: "damaged tail", "a frame but for its last byte") {
            Array($0.bytes.dropLast())
        },
        tail("tail_half", "torn tail", "the first half of a frame") { file in
            Array(file.bytes[..<(file.frames[2].lowerBound + file.frames[2].count / 2)])
        },
    ]

    private static let zeroTails: [[Vector]] = [
        tail("tail_zeros_4096", "success", "zero bytes where a frame would stand") {
            $0.before(2) + zeros(4096)
        },
        tail("tail_zeros_10", "success", "zero bytes, but less than a unit") {
            $0.before(2) + zeros(10)
        },
        tail("tail_zero_sector", "torn tail", "a frame in which a unit of the medium is zero") {
            $0.erasing(in: 2) { frame in
                let start = (frame.lowerBound + 96 + 511) / 512 * 512
                return start..<start + 512
            }
        },
        tail("tail_zero_half_sector", "damaged tail", "256 zero bytes are less than a unit of the medium") {
            $0.erasing(in: 2) { frame in
                let start = (frame.lowerBound + 96 + 511) / 512 * 512
                return start + 128..<start + 384
            }
        },
        tail("tail_first_sector_zero", "torn tail", "the unit of the medium with the head is zero") {
            $0.erasing(in: 2) { $0.lowerBound..<($0.lowerBound / 512 + 1) * 512 }
        },
        tail("tail_last_sector_zero", "torn tail", "the last unit of the medium is zero") {
            $0.erasing(in: 2) { ($0.upperBound - 1) / 512 * 512..<$0.upperBound }
        },
        tail("tail_second_half_zero", "torn tail", "the size had been written, the second half of the frame not") {
            $0.erasing(in: 2) { ($0.lowerBound + $0.count / 2)..<$0.upperBound }
        },
        tail("tail_byte_in_reserve", "torn tail", "a byte in what would be a reserve, after a zero unit") { file in
            file.before(2) + zeros(1023) + [1]
        },
    ]

    private static let garbageTails: [[Vector]] = [
        tail("tail_garbage_short", "torn tail", "100 bytes of anything: no frame is so small") { file in
            file.before(2) + Randomness(seed: "garbage").bytes(100, "tail")
        },
        tail("tail_garbage_1023", "torn tail", withReserve: "damaged tail", "1,023 bytes of anything") { file in
            file.before(2) + Randomness(seed: "garbage").bytes(1023, "tail")
        },
        tail("tail_garbage_whole", "damaged tail", "1,024 bytes of anything") { file in
            file.before(2) + Randomness(seed: "garbage").bytes(1024, "tail")
        },
        tail("tail_old_frame_remains", "damaged tail", "the end of an older, longer frame") { file in
            Array(file.before(2) + file.bytes[(file.frames[2].lowerBound + 1024)...])
        },
        tail("tail_frame_moved", "inconsistent", "the frame that belongs here, 64 bytes too late") { file in
            file.before(2) + [UInt8](repeating: 1, count: 64) + file.frame(2)
        },
        tail(
            "tail_head_off_grid",
            "torn tail",
            withReserve: "damaged tail",
            "a genuine head at an unaligned offset does not count"
        ) { file in
            file.before(2) + zeros(32) + file.frame(2)
        },
    ]

    private static func bitflip(_ name: String, _ comment: String, _ offset: Int) -> [Vector] {
        tail("tail_bitflip_\(name)", "damaged tail", "a changed bit in \(comment) of the last frame") { file in
            var bytes = file.bytes
            bytes.flip(offset < 0 ? bytes.count + offset : file.frames[2].lowerBound + offset)
            return bytes
        }
    }

    private static let bitflipTails: [[Vector]] = [
        bitflip("magic", "the magic", 0),
        bitflip("length", "the body length", 5),
        bitflip("sequence", "the sequence number", 8),
        bitflip("nonce", "the nonce", 30),
        bitflip("chain", "the chain value", 60),
        bitflip("mac", "the head MAC", 85),
        bitflip("body", "the body", 1000),
        bitflip("tag", "the tag", -1),
    ]

    /// Appends two more frames that were written when `synced` was known to be durable.
    private static func window(_ vault: inout VaultSketch, synced: UInt64) {
        for name in ["liz", "max"] {
            vault.frames.append(SketchFrame([vault.put(vault.item(name))]) { $0.synced = synced })
        }
    }

    private static let windowTails: [[Vector]] = [
        tail(
            "tail_unsynced_window",
            "torn tail",
            "the first of three unsynced frames is missing",
            vault: { window(&$0, synced: 2) }
        ) {
            $0.erasing(in: 2) { $0 }
        },
        tail(
            "tail_unsynced_window_bitflip",
            "damaged tail",
            "the first of three unsynced frames is damaged",
            vault: { window(&$0, synced: 2) }
        ) { file in
            var bytes = file.bytes
            bytes.flip(file.frames[2].lowerBound + 1000)
            return bytes
        },
        tail(
            "tail_synced_window",
            "inconsistent",
            "a frame is missing that was durable before the next was written",
            vault: { window(&$0, synced: 3) }
        ) {
            $0.erasing(in: 2) { $0 }
        },
        tail(
            "tail_head_cut",
            "torn tail",
            "an incomplete head of a later frame does not count",
            vault: { window(&$0, synced: 3) }
        ) { file in
            Array(file.erasing(in: 2) { $0 }[..<(file.frames[3].lowerBound + 95)])
        },
    ]
}

extension VaultFile {
    /// Frame `number`, counted from 0.
    func frame(_ number: Int) -> [UInt8] { Array(bytes[frames[number]]) }

    /// The file up to frame `number`.
    func before(_ number: Int) -> [UInt8] { Array(bytes[..<frames[number].lowerBound]) }

    /// The file from frame `number`.
    func from(_ number: Int) -> [UInt8] { Array(bytes[frames[number].lowerBound...]) }

    /// The file with zeros in the range that `choose` selects from frame `number`.
    func erasing(in number: Int, _ choose: (Range<Int>) -> Range<Int>) -> [UInt8] {
        var bytes = bytes
        bytes.erase(choose(frames[number]))
        return bytes
    }
}
