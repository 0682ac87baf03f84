/// A power loss, with a description for people.
struct NamedPowerLoss: Sendable {
    enum Name: Sendable {
        case counts
        case lostWrite(Int)
        case droppedSector(Int, of: Int, fill: String)
        case onlyLength(Int)
        case onlyLengths
        case cut(Int, at: Int)
        case random(Int)
    }

    let name: Name
    let loss: PowerLoss
}

extension NamedPowerLoss.Name {
    func text(_ disk: UncertainDisk, _ trace: Trace, _ loss: PowerLoss) -> String {
        func item(_ index: Int) -> String { trace.name(ofCall: disk.fileItems[index].call) }
        let names = "\(loss.reachedNameChangeCount) of \(disk.nameCalls.count) name changes"
        switch self {
        case .counts:
            return "\(loss.reachedFileChangeCount) of \(disk.fileItems.count) writes and \(names) reached the disk"
        case .lostWrite(let index):
            return "\(item(index)) was lost"
        case .droppedSector(let sector, let index, let fill):
            return "sector \(sector) (of \(loss.sectorByteCount) bytes) of \(item(index)) dropped, \(fill)"
        case .onlyLength(let index):
            return "\(item(index)) extended the file but wrote nothing"
        case .onlyLengths:
            return "all writes extended their files but wrote nothing"
        case .cut(let index, let offset):
            return "\(item(index)) was cut at \(offset); everything later was lost, except for \(names)"
        case .random(let number):
            return "random subset \(number) (sectors of \(loss.sectorByteCount) bytes, \(names))"
        }
    }
}
