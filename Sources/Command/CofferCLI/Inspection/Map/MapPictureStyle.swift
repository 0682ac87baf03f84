/// The colors and fonts of the picture of a vault file.
enum MapPictureStyle {
    /// The colors of each class, on a light and on a dark page.
    private static let fills: [(name: String, light: String, dark: String)] = [
        ("page", "#ffffff", "#0d1117"), ("ink", "#1f2328", "#e6edf3"), ("faint", "#59636e", "#9198a1"),
        ("damage-ink", "#cf222e", "#ff7b72"), ("header", "#1b7c83", "#39a8b0"), ("keybag", "#8250df", "#a371f7"),
        ("directory", "#1a7f37", "#2ea043"), ("sections", "#4ac26b", "#56d364"), ("frame", "#0969da", "#4493f8"),
        ("reserve", "#d1d9e0", "#3d444d"), ("unknown", "#d4a72c", "#bb8009"), ("damage", "#cf222e", "#f85149"),
    ]
    private static let strokes: [(name: String, light: String, dark: String)] = [
        ("gap", "#ffffff", "#0d1117"), ("seam", "#ffffff", "#0d1117"), ("break", "#ffffff", "#0d1117"),
        ("rule", "#59636e", "#9198a1"), ("page", "#d1d9e0", "#3d444d"),
    ]

    /// The elements that define them.
    static var definitions: String {
        """
        <style>
        text { font: 13px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; }
        .title { font-size: 18px; font-weight: 600; }
        .label { font-weight: 600; }
        .small { font-size: 11.5px; }
        .mark { font-size: 26px; font-weight: 700; fill: #ffffff; }
        .hatch { fill: url(#coffer-map-hatch); }
        .gap, .seam, .break, .rule { fill: none; }
        .gap { stroke-width: 2; }
        .seam { stroke-width: 1; stroke-opacity: 0.6; }
        .break { stroke-width: 3; }
        \(colors(\.light))
        @media (prefers-color-scheme: dark) {
        \(colors(\.dark))
        }
        </style>
        <defs>
        <pattern id="coffer-map-hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="3" height="8" fill="#ffffff" fill-opacity="0.3"/>
        </pattern>
        </defs>
        """
    }

    private static func colors(_ page: KeyPath<(name: String, light: String, dark: String), String>) -> String {
        let fills = fills.map { ".\($0.name) { fill: \($0[keyPath: page]); }" }
        let strokes = strokes.map { ".\($0.name) { stroke: \($0[keyPath: page]); }" }
        return (fills + strokes).joined(separator: "\n")
    }
}
