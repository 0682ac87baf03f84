internal import Coffer
internal import CofferBasics
internal import VaultFiles

// Who can access the files, and who is writing.
extension Doctor {
    mutating func examineAccess(_ path: String) {
        guard outline != nil, let machine = try? options.machine() else { return }
        do throws(FileError) {
            let (directory, name) = try machine.files.locate(path)
            let status = try directory.status(of: name)
            let access = AccessReport(of: status, reader: machine.user, writerGroupIDs: options.writerGroupIDs)
            let isHolder = try? run.vaults.ladder().usesCredential(options)
            let findings = access.findings.filter { finding in
                // The file of a holder of a credential belongs to the owner of the vault.
                if case .foreignOwner = finding { isHolder != true } else { true }
            }
            for finding in findings {
                let text = finding.description(of: path)
                if case .widePermissions = finding, access.refusesWriting {
                    checkup.problem("permissions", text, ["until then the vault is read-only"], .permissions)
                } else {
                    checkup.warning("permissions", text)
                }
            }
            if findings.isEmpty {
                checkup.ok(
                    "permissions",
                    status.owner == machine.user
                        ? "only you can access the file" : "the file belongs to user \(status.owner)"
                )
            }
            try examineDirectory(directory.path, machine.files, machine.user)
            _ = try directory.open(name, for: .writing)
        } catch {
            checkup.warning("permissions", "the vault is read-only: \(error)")
        }
    }

    private mutating func examineDirectory(
        _ path: String,
        _ files: any FileSystem,
        _ user: UInt32
    ) throws(FileError) {
        guard path != "/" else { return }
        let (parent, name) = try files.locate(path)
        let status = try parent.status(of: name)
        if status.permissions & 0o022 != 0 {
            checkup.warning(
                "directory",
                "other users can write to the directory \(path.printable) and could replace the vault",
                ["remove their write permission (chmod go-w), or use another directory"]
            )
        } else if status.owner != user, status.owner != 0 {
            checkup.warning(
                "directory",
                "the directory \(path.printable) belongs to user \(status.owner), who could replace the vault"
            )
        } else {
            checkup.ok("directory", "nobody else can write to \(path.printable)")
        }
    }

    mutating func examineLock(_ path: String) {
        guard let machine = try? options.machine() else { return }
        do throws(FileError) {
            let (directory, name) = try machine.files.locate(path)
            let file = try directory.open(name, for: .writing)
            guard try file.tryLock() else {
                let process = file.lockHolder().map { "process \($0)" } ?? "an unknown process"
                return checkup.warning(
                    "lock",
                    "\(process) holds the write lock of the vault",
                    ["changes wait for it for five seconds; if it keeps the lock, check that process"]
                )
            }
            try file.unlock()
            checkup.ok("lock", "no process is writing to the vault")
        } catch {
            // The check of permissions has already reported that the vault is read-only.
            guard ![.permissionDenied, .readOnlyFileSystem].contains(error.reason) else { return }
            checkup.problem("lock", CommandError(error))
        }
    }

    mutating func examineDeviceKey() {
        let known = outline?.devices ?? []
        guard outline == nil || !known.isEmpty else {
            return checkup.ok("device key", "not needed: no machine has a part in the vault")
        }
        switch DeviceKeyState(options) {
        case .absent(let path):
            guard let path else {
                return checkup.warning(
                    "device key",
                    "the location of the device key is unknown",
                    ["set HOME or XDG_STATE_HOME, or STATE_DIRECTORY for a service"]
                )
            }
            guard outline != nil else { return checkup.ok("device key", "none yet; it is created with the vault") }
            checkup.warning(
                "device key",
                "this machine has none (\(path.printable))",
                ["if there was one, restore it from a backup", "`coffer key add device` creates one for this vault"]
            )
        case .found(let path, let device, let warnings):
            for warning in warnings { checkup.warning("device key", warning) }
            guard outline == nil || known.contains(device) else {
                return checkup.warning(
                    "device key",
                    "\(path.printable) is machine \(device), which is unknown to the vault",
                    ["`coffer key add device` gives this machine a part in it"]
                )
            }
            checkup.ok("device key", "\(path.printable), machine \(device)")
        case .unusable(let problem): checkup.problem("device key", CommandError(problem))
        }
    }
}
