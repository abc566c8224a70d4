// swift-tools-version: 6.0
import PackageDescription

// Warnings are errors in both languages, on every compiler.
let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .unsafeFlags(["-warnings-as-errors"]),
]

// -ffp-contract=off: a fused multiply-add rounds once where two operations round twice, so a compiler that
// is free to fuse would make the sound differ between machines and builds.
var cxxFlags = ["-Wall", "-Wextra", "-Werror", "-ffp-contract=off", "-fno-math-errno"]
#if compiler(>=6.2)
    // The clang beside Swift 6.2 and later proves that the audio thread's functions never allocate, lock or block.
    cxxFlags += ["-Wfunction-effects", "-Werror=function-effects"]
#endif
let cxxSettings: [CXXSetting] = [.unsafeFlags(cxxFlags)]
// Optimised in debug builds too, as the tests render an hour of sound; the result is the same to the bit.
let synthCXXSettings: [CXXSetting] =
    cxxSettings + [
        .unsafeFlags(["-O1"], .when(configuration: .debug)),
        .unsafeFlags(["-O3"], .when(configuration: .release)),
    ]
let cSettings: [CSetting] = [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]

// Every module that a target imports is named among its dependencies, those that come with another too: else SwiftPM does
// not rebuild it when they change.
func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

let package = Package(
    name: "PixelBoop",
    targets: [
        // The middle: pure values, no clock, no operating system.
        library("Display"),
        library("Instrument", ["Display"]),
        library("Panel", ["Display"]),
        .target(
            name: "Synth", cxxSettings: synthCXXSettings, linkerSettings: [.linkedLibrary("m")]),

        // The loop, and what it is handed.
        library("Runtime", ["Instrument", "Panel", "Synth", "Display"]),
        library("Formats", ["Instrument", "Panel", "CPNG", "Display"]),
        library("Library", ["Runtime", "CSQLite", "Instrument"]),
        .target(
            name: "AlsaOutput", dependencies: ["Synth"],
            cxxSettings: cxxSettings,
            linkerSettings: [.linkedLibrary("asound"), .linkedLibrary("m"), .linkedLibrary("pthread")]),
        .target(name: "CSystem", cSettings: cSettings),
        .target(name: "CGPIO", cSettings: cSettings, linkerSettings: [.linkedLibrary("gpiod")]),
        library("Devices", ["Runtime", "AlsaOutput", "CSystem", "CSystemd", "CGPIO", "Instrument", "Panel"]),
        library("Simulator", ["Runtime", "Panel", "Formats", "CWebSockets", "Display", "Instrument"]),
        .executableTarget(
            name: "pixelboop",
            dependencies: [
                "Display", "Instrument", "Synth", "Panel", "Runtime", "Formats", "Library", "Devices", "Simulator",
            ],
            swiftSettings: swiftSettings),

        // The tests.
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: swiftSettings),
        tests("DisplayTests", ["Display"]),
        tests("InstrumentTests", ["TestSupport", "Instrument", "Display"]),
        tests("PanelTests", ["TestSupport", "Panel", "Display"]),
        tests("FormatsTests", ["TestSupport", "Formats", "CPNG", "Display", "Instrument", "Panel"]),
        tests("RuntimeTests", ["Runtime", "Simulator", "Display", "Formats", "Instrument", "Panel"]),
        tests("CommandTests", ["pixelboop", "Formats"]),
        tests("ReplayTests", ["Simulator", "Display", "Formats", "Instrument"]),
        tests("LibraryTests", ["TestSupport", "Library", "Instrument"]),
        tests("SimulatorTests", ["TestSupport", "Simulator", "Display", "Formats", "Instrument", "Panel", "Runtime"]),
        .target(name: "DeathProbe", dependencies: ["CSystem"], path: "Tests/DeathProbe", cSettings: cSettings),
        tests("DevicesTests", ["Devices", "AlsaOutput", "CGPIO", "DeathProbe", "Instrument", "Panel", "Runtime"]),
        // Analyses hours of sound: optimised in debug builds too.
        .target(
            name: "SignalAnalysis", path: "Tests/SignalAnalysis",
            swiftSettings: swiftSettings + [.unsafeFlags(["-O"], .when(configuration: .debug))]),
        // The engine's own headers, compiled as the engine is.
        .target(
            name: "SynthProbe", dependencies: ["Synth"], path: "Tests/SynthProbe",
            cxxSettings: synthCXXSettings + [.headerSearchPath("../../Sources/Synth")],
            linkerSettings: [.linkedLibrary("pthread")]),
        tests("SynthTests", ["TestSupport", "SignalAnalysis", "SynthProbe", "Synth"]),
        .target(
            name: "AlsaFaults", path: "Tests/AlsaFaults", cSettings: cSettings,
            linkerSettings: [.linkedLibrary("asound"), .linkedLibrary("dl")]),
        .target(
            name: "PcmPlayback", dependencies: ["AlsaOutput"], path: "Tests/PcmPlayback",
            cxxSettings: cxxSettings + [.headerSearchPath("../../Sources/AlsaOutput")]),
        .target(
            name: "PositionHammer", dependencies: ["AlsaOutput"], path: "Tests/PositionHammer",
            cxxSettings: cxxSettings + [.headerSearchPath("../../Sources/AlsaOutput")],
            linkerSettings: [.linkedLibrary("pthread")]),
        tests("AlsaOutputTests", ["AlsaOutput", "AlsaFaults", "PcmPlayback", "PositionHammer", "Synth"]),

        // Debian's libraries.
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CWebSockets", pkgConfig: "libwebsockets", providers: [.apt(["libwebsockets-dev"])]),
    ],
    cxxLanguageStandard: .cxx17
)
