internal import Coffer
internal import CofferBasics
internal import CofferPasswordFiles
internal import CofferScreen
internal import CofferCertificates

// What is known of the selected item.
extension BrowserState {
    mutating func drawDetails(on grid: inout Grid, in rect: Rect, _ run: CommandRun) {
        let isFocused = focus == .details
        let inside = frame(.details, details?.item.title ?? "Details", on: &grid, in: rect, margin: 2)
        guard let details else {
            changeWindow.resize(count: 0, height: 0)
            return
        }
        changeWindow.resize(count: details.changes.count, height: inside.rowCount)
        // Drawn twice: the first time, to see where the selected revision is.
        var blank = Grid(columnCount: 0, rowCount: 0)
        let bottom = draw(details, on: &blank, LinePen(inside), isFocused, run)
        let isHigh = isFocused && secret == nil && bottom >= inside.rows.upperBound
        let scrolled = isHigh ? bottom - inside.rows.upperBound + 2 : 0
        _ = draw(details, on: &grid, LinePen(inside, scrolledBy: scrolled), isFocused, run)
    }

    /// Draws the details, and returns the row of the selected revision.
    private func draw(
        _ details: Details,
        on grid: inout Grid,
        _ start: LinePen,
        _ isFocused: Bool,
        _ run: CommandRun
    ) -> Int {
        var pen = start
        if secret != nil || details.item.hasSecret && !details.item.isDeleted && details.item.itemClass != .certificate
        {
            drawSecret(on: &grid, &pen, run)
            pen.skip()
        }
        if let certificate = details.certificate { drawValidity(of: certificate, on: &grid, &pen, run) }
        let width = details.facts.reduce(8) { max($0, $1.name.columnCount) } + 2
        for fact in details.facts { pen.fact(fact.name, fact.value, width: width, on: &grid, styles) }
        if let problem = details.problem { pen.line(problem, on: &grid, styles.warning) }
        guard !details.changes.isEmpty else { return pen.row }
        pen.skip()
        pen.line("History", on: &grid, styles.bold)
        var selectedRow = pen.row
        for (index, change) in details.changes.enumerated() {
            let isSelected = isFocused && index == changeWindow.selected
            if isSelected { selectedRow = pen.row }
            let date = change.date.map { Timestamp.local($0, run.context.secondsFromUTC) } ?? "unknown date"
            let mark = index == marked ? "◆" : index == 0 ? "●" : "○"
            let style = isSelected ? styles.selected : index == 0 ? styles.bold : styles.plain
            pen.line("\(mark) \(change.number)  \(date)  \(change.text)", on: &grid, style)
        }
        return selectedRow
    }

    private func drawSecret(on grid: inout Grid, _ pen: inout LinePen, _ run: CommandRun) {
        guard let secret else {
            let hasCode = details.flatMap { generator(of: $0.item) } != nil
            let hint = hidesSecrets ? "" : hasCode ? "  (Space: with the code)" : "  (Space shows it)"
            return pen.line("••••••••••••\(hint)", on: &grid, styles.faint)
        }
        if let secretRevision {
            let number = details?.changes.first { $0.state.revision == secretRevision }?.number
            let name = number.map { "revision \($0)" } ?? "an older revision"
            pen.line("of \(name), not the current one:", on: &grid, styles.danger)
        }
        if let uri = generator?.uri, case .time(let period) = uri.kind, let seconds = uri.secondsLeft(at: run.now),
            let code = try? uri.code(at: run.now)
        {
            if generator?.isSecret == false {
                draw(secret, on: &grid, &pen)
                pen.skip()
            }
            pen.secret(code.text, on: &grid, styles.warning)
            let bar = Self.bar(Double(seconds) / Double(period), columnCount: pen.columnCount - 6)
            return pen.line("\(bar)  \(seconds) s", on: &grid, seconds < 6 ? styles.warning : styles.fine)
        }
        draw(secret, on: &grid, &pen)
    }

    private func draw(_ secret: HeldSecret, on grid: inout Grid, _ pen: inout LinePen) {
        guard secret.byteCount > 0 else { return pen.line("no characters", on: &grid, styles.faint) }
        pen.secret(secret, on: &grid, styles.warning)
        guard let strength = PasswordStrength(ofPassword: secret) else { return }
        pen.line("\(strength.word), about \(Int(strength.bits)) bits", on: &grid, styles.style(of: strength))
    }

    private func drawValidity(
        of certificate: X509Certificate,
        on grid: inout Grid,
        _ pen: inout LinePen,
        _ run: CommandRun
    ) {
        let (start, end) = (certificate.start.secondsSince1970, certificate.end.secondsSince1970)
        let part = end > start ? min(max((run.now - start) / (end - start), 0), 1) : 1
        let days = Int((end - run.now) / 86_400)
        let (text, style): (String, CellStyle)
        switch run.now {
        case ..<start: (text, style) = ("not valid yet", styles.warning)
        case end...: (text, style) = ("expired \((-days).counted("day")) ago", styles.danger)
        default: (text, style) = ("\(days.counted("day")) left", days < 30 ? styles.warning : styles.fine)
        }
        let bar = Self.bar(part, columnCount: pen.columnCount - text.columnCount - 2)
        pen.line("\(bar)  \(text)", on: &grid, style)
        pen.skip()
    }

    private static func bar(_ part: Double, columnCount: Int) -> String {
        let width = min(max(4, columnCount), 24)
        let full = Int((part * Double(width)).rounded())
        return String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
    }
}

extension BrowserStyles {
    func style(of strength: PasswordStrength) -> CellStyle {
        switch strength.bits {
        case ..<PasswordStrength.weakBits: danger
        case ..<60: warning
        default: fine
        }
    }
}
