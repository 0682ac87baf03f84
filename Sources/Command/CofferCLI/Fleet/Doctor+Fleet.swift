internal import Coffer
internal import CofferBasics
internal import CofferFleet

// The cluster through which machines share the vault.
extension Doctor {
    mutating func examineFleet() {
        let fleet: Fleet
        do throws(VaultError) {
            guard let named = try run.fleet.get() else {
                guard outline?.isShared == true else { return }
                return checkup.warning(
                    "fleet",
                    "the vault is shared with other machines, and read-only here, since COFFER_FLEET is not set",
                    ["set COFFER_FLEET, or run `coffer fleet leave` to keep it on this machine alone"]
                )
            }
            fleet = named
            for (endpoint, answer) in try fleet.members(options) { examine(endpoint, answer) }
        } catch {
            return checkup.problem("fleet", CommandError(error))
        }
        guard let path, outline?.isShared == true else {
            return checkup.warning("fleet", "the vault is not shared", ["share it with `coffer fleet init`"])
        }
        do throws(VaultError) {
            let status = try fleet.status(ofVaultAt: path, options: options)
            guard status.machines.contains(where: { $0.name == fleet.machine }) else {
                return checkup.problem(
                    "fleet",
                    "\(fleet.machine.printable) has not joined the fleet, so it cannot write",
                    ["run `coffer fleet join`, or set COFFER_FLEET_MACHINE to the name that it joined with"],
                    .unavailable
                )
            }
            let own = status.ownChange == status.change ? "all" : String(status.ownChange)
            checkup.ok(
                "fleet",
                """
                \(status.machines.count.counted("machine")), \(Int(status.change).counted("change")), and this machine \
                has \(own)
                """
            )
        } catch {
            checkup.problem("fleet", CommandError(error))
        }
    }

    private mutating func examine(_ endpoint: String, _ answer: Result<EtcdMember, VaultError>) {
        switch answer {
        case .failure(let error):
            checkup.warning("cluster", "\(endpoint) does not answer: \(error.description.printable)")
        case .success(let member):
            let limit = member.byteCountLimit.map { " of \(ByteSize.text(Int($0)))" } ?? ""
            let size = ByteSize.text(Int(member.byteCount)) + limit
            let what = "\(endpoint) has etcd \(member.version.printable) and \(size)"
            let complaints = member.complaints + (member.hasLeader ? [] : ["it knows no leader"])
            if !complaints.isEmpty {
                checkup.warning("cluster", "\(what); \(complaints.map(\.printable).joined(separator: "; "))")
            } else if let limit = member.byteCountLimit, member.byteCount > limit / 2 {
                checkup.warning(
                    "cluster",
                    "\(what); at that limit, it refuses all changes",
                    ["let etcd drop its history (--auto-compaction-retention=1h), and run `etcdctl defrag`"]
                )
            } else if let faults = member.knownFaults {
                checkup.warning("cluster", "\(what); \(faults)")
            } else {
                checkup.ok("cluster", what)
            }
        }
    }
}
