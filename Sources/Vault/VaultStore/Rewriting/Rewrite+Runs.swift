internal import CofferBasics
internal import VaultFiles
internal import VaultFormat

// Planning runs: what cannot be folded in.
extension Rewrite {
    /// Plans what cannot be folded in: the records of closed groups, those that are not valid, and the settings.
    mutating func planRuns() throws {
        var carried: [(number: Int, group: GroupEpoch)] = []
        var ungrouped: [Run.Entry] = []
        for (number, entry) in vault.wholeLog.entries.enumerated() {
            switch entry.record {
            case .put, .delete, .seen:
                // Without an entry, the key of a put was destroyed and the item is gone.
                guard let group = vault.group(of: entry.record) else { continue }
                switch entry.standing {
                // The replay refuses them for their place, or for a number or a salt that is taken.
                case .invalid(.outOfOrder), .invalid(.duplicate):
                    if vault.closedGroups.contains(group.group) { carried.append((number, group)) }
                case let standing where vault.closedGroups.contains(group.group) || isCarried(standing):
                    carried.append((number, group))
                default: break
                }
            case .key(let key):
                guard entry.standing != .valid || !vault.keyring.opens(key) && keys.change?.keeps(key) ?? true,
                    entry.standing == .valid || isCarried(entry.standing)
                else { continue }
                ungrouped.append(Run.Entry(entry))
            case .settings: if isCarried(entry.standing) { ungrouped.append(Run.Entry(entry)) }
            case .unknown, .malformed: break
            }
        }
        // The epochs of a group share what was seen of a writer, so their records stay in one order.
        carried.sort { ($0.group.group, $0.number) < ($1.group.group, $1.number) }
        for (number, group) in carried { runs.append(Run.Entry(vault.wholeLog.entries[number]), group: group) }
        report.carriedRecordCount += carried.count
        if let settings = try settings() { ungrouped.append(settings) }
        for entry in ungrouped.sorted(by: { $0.sequence < $1.sequence }) { runs.append(entry, group: .none) }
        try planUnread()
    }

    /// Whether a record stays because it is not valid.
    private mutating func isCarried(_ standing: LogIndex.Standing) -> Bool {
        switch standing {
        case .valid, .sealed: return false
        case .invalid:
            guard keys.change == nil, !request.dropsInvalid else {
                report.invalidRecordCount += 1
                return false
            }
            return true
        }
    }

    /// Carries the records that were left in the file, unless they are dropped or exceed the limit of readers.
    private mutating func planUnread() throws {
        let unread = vault.wholeLog.unread
        let isChange = keys.change != nil
        if isChange { report.invalidRecordCount += unread.malformedCount }
        guard isChange || !request.dropsInvalid && unread.count <= Limits.unreadRecordCount else { return }
        var (runs, count) = (runs, 0)
        try vault.forEachUnreadRecord(in: source) { entry in
            if isChange { guard case .unknown = entry.record else { return } }
            runs.append(entry, group: .none)
            count += 1
        }
        self.runs = runs
        report.carriedRecordCount += count
    }

    /// Returns the settings that count, with those who lose access by a change of keys.
    private func settings() throws -> Run.Entry? {
        let former = vault.wholeLog.entries.last {
            $0.standing == .valid && $0.record == .settings(body: vault.log.settings?.body ?? [])
        }
        guard let change = keys.change, let secret = change.settingsSecret, former != nil || !change.revocations.isEmpty
        else { return former.map { Run.Entry($0) } }
        var settings = vault.settings ?? Settings()
        if !change.revocations.isEmpty {
            settings.revision += 1
            settings.revocations.formUnion(change.revocations)
        }
        let record = try SettingsRecord(settings, signedBy: secret, vault: vault.vault)
        return Run.Entry(
            sequence: former?.sequence ?? vault.position.sequence,
            time: former?.time ?? Time(microseconds: vault.environment.time.wallMicroseconds()),
            record: .settings(body: record.body)
        )
    }

    /// Throws if an absent device would lose access to its items, VF-77.
    func checkDeviceAccess() throws {
        guard let change = keys.change else { return }
        let needUserRoot: [ProtectionClass] = [.whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly]
        let devices = Set(carriedCounts.keys.filter { needUserRoot.contains($0.protection) }.map(\.owner))
        let lost = devices.filter { device in
            !change.acceptedLosses.contains(device) && vault.prelude.keybag.canOpen(at: device)
                && !change.keybag.canOpen(at: device)
        }
        guard lost.isEmpty else { throw StoreError.keyChange(.lastSlot(of: lost.sorted()), path: vault.path) }
    }
}
