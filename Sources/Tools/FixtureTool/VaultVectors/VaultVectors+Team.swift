// Sections 2.1, 3.1, 3.3, 3.5 and 8.7: structures that the team signs.

extension VaultVectors {
    static let team: [Vector] = teamEntries + signatures + settings + revocations

    /// A small vault with a team key, opened with its passphrase.
    private func withTeam(_ further: [Line] = [], _ edit: (inout VaultSketch) -> Void) -> Vector {
        opens(further) { vault in
            vault.keybag.append(vault.teamKeyEntry())
            edit(&vault)
        }
    }

    private static let teamEntries: [Vector] = [
        vault("team_key", "a team key").withTeam { _ in },
        vault("team_key_public_differs", "a team key with the public key of another, inside a valid wrap")
            .keybag { vault in
                let other = Primitives.signingPublicKey(vault.randomness.bytes(32, "another team"))
                vault.keybag.append(vault.teamKeyEntry { $0.fields = other })
            },
        vault("team_key_commitment", "a team key with the commitment of another")
            .keybag { vault in vault.keybag.append(vault.teamKeyEntry { $0.committedKey = zeros(32) }) },
        vault("team_key_twice", "two team keys")
            .keybag { $0.keybag.entries += [$0.teamKeyEntry(), $0.teamKeyEntry { $0.key = zeros(32) }] },
        vault("team_key_of_two_teams", "two team keys with different public keys").keybag { vault in
            let other = vault.randomness.bytes(32, "another team")
            vault.keybag.entries += [
                vault.teamKeyEntry(),
                vault.teamKeyEntry { ($0.key, $0.fields) = (other, Primitives.signingPublicKey(other)) },
            ]
        },
        vault("recipient", "a recipient's slot in addition to a passphrase slot")
            .withTeam { $0.keybag.append($0.recipientEntry()) },
        vault("recipient_reserved", "a reserved byte of a recipient's slot, committed to and signed")
            .keybag { $0.keybag.append($0.recipientEntry(reserved: [0, 0, 0, 1])) },
        vault("recipient_of_new_epoch", "a recipient's slot whose epoch is higher than that of the other slot")
            .keybag { $0.keybag.append($0.recipientEntry(epoch: 2)) },
        vault("grant", "a grant is irrelevant to a reader with the passphrase")
            .withTeam { $0.keybag.append($0.grantEntry()) },
        vault("grant_too_short", "a grant of 159 bytes")
            .keybag { $0.keybag.append(SketchEntry(type: 32, body: zeros(159))) },
        vault("grant_twice", "two grants with the same id")
            .keybag { $0.keybag.entries += [$0.grantEntry(), $0.grantEntry()] },
    ]

    /// A small vault with a grant whose header signature is wrong.
    private func signature(hasTeamKey: Bool = true, hasGrant: Bool = true, _ edit: (inout VaultSketch) -> Void)
        -> Vector
    {
        small("header failure") { vault in
            if hasTeamKey { vault.keybag.append(vault.teamKeyEntry()) }
            if hasGrant { vault.keybag.append(vault.grantEntry()) }
            edit(&vault)
        }
    }

    private static let signatures: [Vector] = [
        vault("header_signature_missing", "no signature in a vault with a grant")
            .signature { $0.header.signature = { $0 = zeros(64) } },
        vault("header_signature_bitflip", "a changed bit in the signature")
            .signature { $0.header.signature = { $0.flip(5) } },
        vault("header_signature_of_other_team", "a signature by another team than that of the keybag")
            .signature { vault in
                let other = vault.randomness.bytes(32, "another team")
                vault.keybag.replace(
                    with: vault.teamKeyEntry {
                        $0.key = other
                        $0.fields = Primitives.signingPublicKey(other)
                    }
                )
            },
        vault("header_signature_of_other_header", "the signature of an earlier generation").signature { vault in
            let text = label("header") + vault.randomness.bytes(256, "earlier header")
            let signature = Primitives.signature(vault.teamSecret, text)
            vault.header.signature = { $0 = signature }
        },
        vault("header_signature_without_team_key", "a grant and no team key").signature(hasTeamKey: false) { _ in },
        vault("header_signature_without_grant", "a signature that fits, in a vault without a grant")
            .signature(hasGrant: false) { vault in
                var header = vault.build().bytes[..<256]
                header = label("header") + header
                let signature = Primitives.signature(vault.teamSecret, Array(header))
                vault.header.signature = { $0 = signature }
            },
        vault("header_signature_not_zero", "a byte where the signature would be")
            .signature(hasTeamKey: false, hasGrant: false) { $0.header.signature = { $0[63] = 1 } },
    ]

    /// An invalid settings record in a vault with a team key.
    private func settings(_ make: @escaping (VaultSketch) -> SketchRecord) -> Vector {
        record { vault, _ in
            vault.keybag.append(vault.teamKeyEntry())
            return make(vault)
        }
    }

    /// A vault with several settings; those with `revision` count, and are shown as `text`.
    private func settings(counting revision: UInt64, _ text: String, _ all: [(UInt64, [String: AppleValue])]) -> Vector
    {
        withTeam([("settings", "\(revision) {\(text)}")]) { vault in
            for (revision, settings) in all {
                vault.append([vault.settings(revision: revision, archive: canonicalArchive(settings))])
            }
        }
    }

    /// A vault with several settings, each for a number of days; `revision` and `days` are those that count.
    private func settings(counting revision: UInt64, _ days: Int64, _ all: [(revision: UInt64, days: Int64)]) -> Vector
    {
        let settings = all.map { ($0.revision, ["historyDays": AppleValue.int($0.days)]) }
        return self.settings(counting: revision, "\"historyDays\": \(days)", settings)
    }

    /// A revocation of a grant in all groups, with an epoch.
    private static func revocation(_ number: UInt8, epoch: UInt32 = 2) -> [UInt8] {
        zeros(8) + [1] + [UInt8](repeating: number, count: 16) + u32(epoch)
    }

    /// A vault with several settings that have revocations; `revision` are those that count.
    private func revocations(counting revision: UInt64, _ all: [(revision: UInt64, revocations: [UInt8])]) -> Vector {
        let counting = all.first { $0.revision == revision }?.revocations ?? []
        let settings = all.map { ($0.revision, ["revocations": AppleValue.scalar(.data($0.revocations))]) }
        return self.settings(counting: revision, "\"revocations\": <\(counting.hex)>", settings)
    }

    private func invalidRevocations(_ value: AppleValue) -> Vector {
        settings { $0.settings(archive: canonicalArchive(["revocations": value])) }
    }

    /// So many revocations, of different groups.
    private static func revocations(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for number in 0..<count {
            bytes += zeros(6) + [UInt8(number >> 8), UInt8(number & 255), 1]
            bytes += zeros(16) + u32(1)
        }
        return bytes
    }

    private static let revocations: [Vector] = [
        vault("settings_revocations", "settings with more revocations count, whatever their revision")
            .revocations(counting: 1, [(5, revocation(1)), (1, revocation(1, epoch: 3) + revocation(2))]),
        vault("settings_revocations_lacking", "later settings that lack a revocation do not count")
            .revocations(counting: 1, [(1, revocation(1)), (2, [])]),
        vault("settings_revocations_same", "with the same revocations, of whatever epoch, the greatest revision counts")
            .revocations(counting: 2, [(1, revocation(1, epoch: 9)), (2, revocation(1))]),
        vault("settings_revocations_disjoint")
            .comment("of settings that each have a revocation which the others lack, the first count")
            .revocations(counting: 1, [(1, revocation(2)), (2, revocation(1))]),
        vault("settings_revocations_most", "1,024 revocations").revocations(counting: 1, [(1, revocations(1_024))]),
        vault("settings_revocations_many", "1,025 revocations, signed")
            .invalidRevocations(.scalar(.data(revocations(1_025)))),
        vault("settings_revocations_size", "half a revocation, signed").invalidRevocations(.scalar(.data(zeros(14)))),
        vault("settings_revocations_order", "revocations in descending order, signed")
            .invalidRevocations(.scalar(.data(revocation(2) + revocation(1)))),
        vault("settings_revocations_twice", "a revocation with two epochs, signed")
            .invalidRevocations(.scalar(.data(revocation(1) + revocation(1, epoch: 3)))),
        vault("settings_revocations_text", "revocations that are text, signed").invalidRevocations(.string("")),
    ]

    private static let settings: [Vector] = [
        vault("settings_newer", "the greatest revision counts").settings(counting: 2, 7, [(1, 30), (2, 7)]),
        vault("settings_older_last", "the greatest revision counts, not the last")
            .settings(counting: 2, 7, [(2, 7), (1, 30)]),
        vault("settings_tie", "of two with one revision the greater body counts")
            .settings(counting: 2, 30, [(2, 7), (2, 30)]),
        vault("settings_tie_in_other_order", "of two with one revision the greater body counts, not the last")
            .settings(counting: 2, 30, [(2, 30), (2, 7)]),
        vault("settings", "settings that the team has signed").withTeam { $0.append([$0.settings()]) },
        vault("settings_signature", "a changed bit in the signature")
            .settings { $0.settings().edited { $0.flip($0.count - 1) } },
        vault("settings_of_other_team", "settings that another team has signed")
            .settings { $0.settings(signedWith: $0.randomness.bytes(32, "another team")) },
        vault("settings_reserved", "a reserved byte, signed").settings { $0.settings(reserved: [1, 0, 0, 0]) },
        vault("settings_not_a_dictionary", "an archive of a text, signed")
            .settings { $0.settings(archive: AppleArchiver.archive(.string("text")).propertyList) },
        vault("settings_days_negative", "days below 0, signed")
            .settings { $0.settings(archive: canonicalArchive(["historyDays": .int(-1)])) },
        vault("settings_days_text", "days that are text, signed")
            .settings { $0.settings(archive: canonicalArchive(["historyDays": .string("30")])) },
        vault("settings_revisions_bool", "a number of revisions that is a bool, signed")
            .settings { $0.settings(archive: canonicalArchive(["historyRevisions": .scalar(.bool(true))])) },
        vault("settings_compression_number", "compression that is a number, signed")
            .settings { $0.settings(archive: canonicalArchive(["compression": .int(1)])) },
        vault("settings_revisions_negative", "a number of revisions below 0, signed")
            .settings { $0.settings(archive: canonicalArchive(["historyRevisions": .int(-1)])) },
        vault("settings_not_canonical", "two settings in the wrong order, signed").settings {
            let entries: [(AppleValue, AppleValue)] = [
                (.string("historyDays"), .int(30)), (.string("compression"), .scalar(.bool(true))),
            ]
            return $0.settings(archive: AppleArchiver.archive(.dictionary(entries)).propertyList)
        },
        vault("settings_longer_than_n", "an archive of a byte more than its size says, signed").settings {
            let archive = canonicalArchive(["historyDays": .int(30)])
            return $0.settings(archive: archive, archiveByteCount: archive.count - 1)
        },
        vault("settings_trailing_byte", "a byte after the signature")
            .settings { $0.settings().edited { $0.append(0) } },
        vault("settings_too_short", "settings without a signature")
            .settings { _ in SketchRecord(kind: 4, body: zeros(16)) },
        vault("settings_without_team", "settings of a vault that has no team key").record { $0.settings() },
    ]
}
