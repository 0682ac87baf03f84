// Section 7: the bytes after the last frame that verifies. Each vector exists twice, with and without a reserve.

extension VaultVectors {
    static let tail: [Vector] = (shortTails + zeroTails + garbageTails + bitflipTails + windowTails).flatMap { $0 }

    /// A vault of two frames and the part of a third that `make` leaves; both without and with a reserve of 4,096
    /// bytes.
    func tail(
        _ verdict: String,
        withReserve: String? = nil,
        vault edit: (inout VaultSketch) -> Void = { _ in },
        _ make: (VaultFile) -> [UInt8]
    ) -> [Vector] {
        var vault = VaultSketch(name)
        let readable = vault.append(vault.item("ann")) + vault.append(vault.item("bob"))
        vault.append(Self.longItem(in: vault))
        edit(&vault)
        let file = vault.build()
        let bytes = make(file)
        let start = file.frames[2].lowerBound
        return [false, true].map { hasReserve in
            let body = bytes + zeros(hasReserve ? 4096 : 0)
            let expect = hasReserve ? withReserve ?? verdict : verdict
            let tail = expect == "success" || expect == "inconsistent" ? nil : "\(body.count - start)"
            return Self.vault(hasReserve ? "\(name)_reserve" : name)
                .comment(hasReserve ? "\(comment); with a reserve" : comment)
                .vector(expect, body, readable: readable, tail.map { [("tail", $0)] } ?? [])
        }
    }

    /// An item whose frame spans several units of the medium.
    static func longItem(in vault: VaultSketch, _ name: String = "kim") -> SketchItem {
        vault.item(name, secret: String(repeating: "sesame ", count: 300))
    }

    private static let shortTails: [[Vector]] = [
        vault("tail_1_byte", "the first byte of a frame")
            .tail("torn tail") { Array($0.bytes[..<($0.frames[2].lowerBound + 1)]) },
        vault("tail_95_bytes", "the head of a frame but for its last byte")
            .tail("torn tail") { Array($0.bytes[..<($0.frames[2].lowerBound + 95)]) },
        vault("tail_head_only", "the head of a frame")
            .tail("torn tail") { Array($0.bytes[..<($0.frames[2].lowerBound + 96)]) },
        vault("tail_body_minus_1", "a frame but for its last byte")
            .tail("torn tail", withReserve: "damaged tail") { Array($0.bytes.dropLast()) },
        vault("tail_half", "the first half of a frame")
            .tail("torn tail") { file in Array(file.bytes[..<(file.frames[2].lowerBound + file.frames[2].count / 2)]) },
    ]

    private static let zeroTails: [[Vector]] = [
        vault("tail_zeros_4096", "zero bytes where a frame would stand").tail("success") { $0.before(2) + zeros(4096) },
        vault("tail_zeros_10", "zero bytes, but less than a unit").tail("success") { $0.before(2) + zeros(10) },
        vault("tail_zero_sector", "a frame in which a unit of the medium is zero").tail("torn tail") {
            $0.erasing(in: 2) { frame in
                let start = (frame.lowerBound + 96 + 511) / 512 * 512
                return start..<start + 512
            }
        },
        vault("tail_zero_half_sector", "256 zero bytes are less than a unit of the medium").tail("damaged tail") {
            $0.erasing(in: 2) { frame in
                let start = (frame.lowerBound + 96 + 511) / 512 * 512
                return start + 128..<start + 384
            }
        },
        vault("tail_first_sector_zero", "the unit of the medium with the head is zero")
            .tail("torn tail") { $0.erasing(in: 2) { $0.lowerBound..<($0.lowerBound / 512 + 1) * 512 } },
        vault("tail_last_sector_zero", "the last unit of the medium is zero")
            .tail("torn tail") { $0.erasing(in: 2) { ($0.upperBound - 1) / 512 * 512..<$0.upperBound } },
        vault("tail_second_half_zero", "the size had been written, the second half of the frame not")
            .tail("torn tail") { $0.erasing(in: 2) { ($0.lowerBound + $0.count / 2)..<$0.upperBound } },
        vault("tail_byte_in_reserve", "a byte in what would be a reserve, after a zero unit")
            .tail("torn tail") { $0.before(2) + zeros(1023) + [1] },
    ]

    private static let garbageTails: [[Vector]] = [
        vault("tail_garbage_short", "100 bytes of anything: no frame is so small")
            .tail("torn tail") { $0.before(2) + Randomness(seed: "garbage").bytes(100, "tail") },
        vault("tail_garbage_1023", "1,023 bytes of anything").tail("torn tail", withReserve: "damaged tail") { file in
            file.before(2) + Randomness(seed: "garbage").bytes(1023, "tail")
        },
        vault("tail_garbage_whole", "1,024 bytes of anything")
            .tail("damaged tail") { $0.before(2) + Randomness(seed: "garbage").bytes(1024, "tail") },
        vault("tail_old_frame_remains", "the end of an older, longer frame")
            .tail("damaged tail") { file in Array(file.before(2) + file.bytes[(file.frames[2].lowerBound + 1024)...]) },
        vault("tail_frame_moved", "the frame that belongs here, 64 bytes too late")
            .tail("inconsistent") { file in file.before(2) + [UInt8](repeating: 1, count: 64) + file.frame(2) },
        vault("tail_head_off_grid", "a genuine head at an unaligned offset does not count")
            .tail("torn tail", withReserve: "damaged tail") { file in file.before(2) + zeros(32) + file.frame(2) },
    ]

    private func bitflip(_ offset: Int) -> [Vector] {
        Self.vault("tail_bitflip_\(name)", "a changed bit in \(comment) of the last frame")
            .tail("damaged tail") { file in
                var bytes = file.bytes
                bytes.flip(offset < 0 ? bytes.count + offset : file.frames[2].lowerBound + offset)
                return bytes
            }
    }

    private static let bitflipTails: [[Vector]] = [
        vault("magic", "the magic").bitflip(0),
        vault("length", "the body length").bitflip(5),
        vault("sequence", "the sequence number").bitflip(8),
        vault("nonce", "the nonce").bitflip(30),
        vault("chain", "the chain value").bitflip(60),
        vault("mac", "the head MAC").bitflip(85),
        vault("body", "the body").bitflip(1000),
        vault("tag", "the tag").bitflip(-1),
    ]

    /// Appends two more frames that were written when `synced` was known to be durable.
    private static func window(_ vault: inout VaultSketch, synced: UInt64) {
        for name in ["liz", "max"] {
            vault.frames.append(SketchFrame([vault.put(vault.item(name))]) { $0.synced = synced })
        }
    }

    private static let windowTails: [[Vector]] = [
        vault("tail_unsynced_window", "the first of three unsynced frames is missing")
            .tail("torn tail", vault: { window(&$0, synced: 2) }) { $0.erasing(in: 2) { $0 } },
        vault("tail_unsynced_window_bitflip", "the first of three unsynced frames is damaged")
            .tail("damaged tail", vault: { window(&$0, synced: 2) }) { file in
                var bytes = file.bytes
                bytes.flip(file.frames[2].lowerBound + 1000)
                return bytes
            },
        vault("tail_synced_window", "a frame is missing that was durable before the next was written")
            .tail("inconsistent", vault: { window(&$0, synced: 3) }) { $0.erasing(in: 2) { $0 } },
        vault("tail_head_cut", "an incomplete head of a later frame does not count")
            .tail("torn tail", vault: { window(&$0, synced: 3) }) { file in
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
