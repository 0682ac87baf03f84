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

    /// An item whose secret has form 2.
    var behindPassword: SketchItem {
        var item = item("application password")
        let parameters = u32(1) + u32(8) + randomness.bytes(16, "application password salt")
        let data =
            associatedData(itemID: item.id, revision: item.revision, salt: salt(of: item), part: 3) + parameters
        let seed = Primitives.argon2id(Array("open".utf8), Array(parameters[8...]), ops: 1, mem: 8)
        let halves = H(64, seed, "apppass", data)
        let sealed = randomness.sealed(Array(halves[..<32]), data, [0] + Array("sesame".utf8))
        item.secret = .raw([2] + parameters + halves[32...] + sealed)
        return item
    }
}
