internal import VaultFormat

/// The runs of a snapshot being built.
struct PlannedRuns {
    private var runs: [(group: GroupEpoch, content: RunContent)] = []

    var count: Int { runs.count }

    /// Adds a record to the last run, or starts another run if the group differs, the run is full, or the record is older
    /// than the one before it.
    mutating func append(_ entry: Run.Entry, group: GroupEpoch) {
        if let last = runs.last, last.group == group, last.content.hasRoom(for: entry) {
            runs[runs.count - 1].content.append(entry)
        } else {
            var content = RunContent()
            content.append(entry)
            runs.append((group, content))
        }
    }

    /// Writes the runs to a snapshot.
    func write(to writer: inout GenerationWriter<FileSink>) throws {
        for run in runs { try writer.append(run.content, group: run.group) }
    }
}

extension Run.Entry {
    /// A log record as a run carries it.
    init(_ entry: LogIndex.Entry) {
        self.init(sequence: entry.sequence, time: entry.time, record: entry.record)
    }
}
