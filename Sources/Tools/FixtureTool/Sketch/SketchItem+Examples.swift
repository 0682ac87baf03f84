// Items of each kind that several vectors use.

extension VaultSketch {
    var internet: SketchItem {
        item(
            "internet",
            .inet,
            [
                "acct": .string("kim"), "atyp": .string("form"), "path": .string("/login"), "port": .int(443),
                "ptcl": .int(1_752_461_675), "srvr": .string("example.com"),
            ]
        )
    }

    var certificate: SketchItem {
        item(
            "certificate",
            .cert,
            [
                "cenc": .int(3), "ctyp": .int(1), "issr": .scalar(.data([0x30, 0x00])), "labl": .string("Root"),
                "pkhh": .scalar(.data(randomness.bytes(20, "public key hash"))), "slnr": .scalar(.data([7])),
                "subj": .scalar(.data([0x30, 0x00])),
            ],
            secret: .data([0x30, 0x03, 0x02, 0x01, 0x07])
        )
    }

    var privateKey: SketchItem {
        item(
            "key",
            .keys,
            [
                "atag": .scalar(.data([1, 2, 3])), "bsiz": .int(256), "kcls": .int(1),
                "klbl": .scalar(.data(randomness.bytes(20, "public key hash"))), "sdat": .date(-0.0),
                "type": .int(73),
            ],
            secret: .data(randomness.bytes(97, "private key"))
        )
    }

    /// An item whose data is sealed with the application password `open`.
    var behindPassword: SketchItem { behindPassword() }

    /// An item whose secret has form 2, around `inner`, with edited bytes after the form.
    func behindPassword(
        inner: [UInt8] = [0] + Array("sesame".utf8),
        mem: UInt32 = 8,
        edit: (inout [UInt8]) -> Void = { _ in }
    ) -> SketchItem {
        var item = item("application password")
        item.attributes["accc"] = .dictionary([(.string("flags"), .int(1 << 31))])
        let parameters = u32(1) + u32(mem) + randomness.bytes(16, "application password salt")
        let data =
            associatedData(itemID: item.id, revision: item.revision, salt: salt(of: item), part: 3) + parameters
        let seed = Primitives.argon2id(Array("open".utf8), Array(parameters[8...]), ops: 1, mem: 8)
        let halves = H(64, seed, "apppass", data)
        var content = parameters + halves[32...] + randomness.sealed(Array(halves[..<32]), data, inner)
        edit(&content)
        item.secret = .raw([2] + content)
        return item
    }
}
