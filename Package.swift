// swift-tools-version: 6.0
import PackageDescription

// Warnings are errors in both languages, on every compiler.
let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .unsafeFlags(["-warnings-as-errors"]),
]

// -ffp-contract=off: a fused multiply-add rounds once where two operations round twice, so a compiler free to fuse
// would make the sound differ between machines and builds.
var cxxFlags = ["-Wall", "-Wextra", "-Werror", "-ffp-contract=off", "-fno-math-errno"]
#if compiler(>=6.2)
    // The clang of Swift 6.2 and later proves that the audio thread's functions never allocate, lock or block.
    cxxFlags += ["-Wfunction-effects", "-Werror=function-effects"]
#endif
let cxxSettings: [CXXSetting] = [.unsafeFlags(cxxFlags)]
// Optimised in debug builds too, as the tests render an hour of sound; the result is bit-identical. -Wno-psabi: clang
// warns that a vector of eight numbers is passed in another way to functions with AVX; here no such function is called
// from another file.
let synthCXXSettings: [CXXSetting] =
    cxxSettings + [
        .unsafeFlags(["-Wno-psabi"]),
        .unsafeFlags(["-O1"], .when(configuration: .debug)),
        .unsafeFlags(["-O3"], .when(configuration: .release)),
    ]
// Optimised in debug builds too, and tests in a release, with every check: the tests draw a million frames, read ten
// thousand documents, open a thousand libraries and analyse hours of sound. Remove a name to step through it in a
// debugger.
let optimised: Set = [
    "Display", "InputEvents", "Instrument", "Panel", "Documents", "Formats", "Library", "SynthTests", "AlsaOutputTests",
    "PanelTests",
]
let optimisedSettings: [SwiftSetting] = swiftSettings + [.unsafeFlags(["-O"], .when(configuration: .debug))]
func settings(of name: String) -> [SwiftSetting] { optimised.contains(name) ? optimisedSettings : swiftSettings }
// The tests are linked with the objects that ship, so these keep their internal names in a release too. The command is
// 7 % larger by that, and as fast.
let testable: [SwiftSetting] = [.unsafeFlags(["-enable-testing"], .when(configuration: .release))]
// SwiftPM finds tests by an index, which without this has the system's modules too: a quarter of a test's compilation.
let indexed: [SwiftSetting] = [.unsafeFlags(["-index-ignore-system-modules"])]
// Most tests run once: unoptimised they cost less time in all.
let unoptimised: [SwiftSetting] = [.unsafeFlags(["-Onone"], .when(configuration: .release))]
let cSettings: [CSetting] = [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]
// Only the command itself is linked with Swift's static libraries, which lack Testing; their own list of what they need
// lacks two. Packed, 1 MB of relocations takes 8 kB; needs lld and glibc 2.36. A compiler for another machine has them
// in the folder PIXELBOOP_STATIC_RESOURCES.
let staticResources = Context.environment["PIXELBOOP_STATIC_RESOURCES"].map { ["-resource-dir", $0] } ?? []
let staticLibraries: [LinkerSetting] = [
    .unsafeFlags(
        staticResources + [
            "-static-stdlib", "-l_FoundationCollections", "-l_FoundationCShims", "-use-ld=lld", "-Xlinker", "-z",
            "-Xlinker", "pack-relative-relocs",
        ], .when(configuration: .release))
]

// List every imported module among a target's dependencies, even if another dependency brings it: otherwise SwiftPM
// does not rebuild the target when the module changes.
func library(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil) -> Target {
    .target(
        name: name, dependencies: dependencies, resources: resources, swiftSettings: settings(of: name) + testable)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: ["TestTags"] + dependencies, path: "Tests/Unit/\(name)", exclude: exclude,
        swiftSettings: settings(of: name) + indexed + (optimised.contains(name) ? [] : unoptimised))
}

let package = Package(
    name: "PixelBoop",
    targets: [
        // The middle: no operating system and no clock. deploy/site/wasm compiles these targets for browsers.
        library("Display"),
        library("InputEvents"),
        library("Instrument", ["Display", "InputEvents"]),
        library("Input", ["InputEvents"]),
        library("Panel", ["CMath", "Display", "InputEvents"]),
        library("Documents", ["CMath", "Display", "InputEvents", "Instrument"]),
        .target(
            name: "Synth", cxxSettings: synthCXXSettings, linkerSettings: [.linkedLibrary("m")]),
        library("Runtime", ["CMath", "Instrument", "Input", "InputEvents", "Panel", "Synth", "Display"]),
        library("Replay", ["Runtime", "Input", "InputEvents", "Panel", "Documents", "Display", "Instrument"]),

        library(
            "Browser",
            [
                "CBrowser", "Runtime", "Input", "InputEvents", "Panel", "Documents", "Display", "Instrument", "Replay",
            ]),

        // The parts that are passed to the loop, and the box.
        library("Threads", ["Display", "InputEvents", "Panel", "Runtime"]),
        library(
            "Formats",
            [
                "Documents", "Instrument", "Input", "InputEvents", "Panel", "CPNG", "CSndfile", "CXML", "CYAML",
                "Display",
            ]),
        library(
            "Library", ["Runtime", "Documents", "Formats", "CSQLite", "CZlib", "Display", "InputEvents", "Instrument"]),
        .target(
            name: "AlsaOutput", dependencies: ["Synth"],
            cxxSettings: cxxSettings,
            linkerSettings: [.linkedLibrary("asound"), .linkedLibrary("m"), .linkedLibrary("pthread")]),
        // Link is a library of headers. NDEBUG: an assertion of it asks the compiler's runtime whether an atomic is
        // free of locks, and would need libatomic.
        .target(
            name: "CLink",
            cxxSettings: cxxSettings + [.define("LINK_PLATFORM_LINUX", to: "1"), .define("NDEBUG")],
            linkerSettings: [.linkedLibrary("pthread")]),
        .target(name: "CSystem", cSettings: cSettings),
        .target(name: "CGPIO", cSettings: cSettings, linkerSettings: [.linkedLibrary("gpiod")]),
        .target(name: "CScreen", dependencies: ["CDRM"], cSettings: cSettings),
        library(
            "Devices",
            [
                "Runtime", "Threads", "Input", "InputEvents", "AlsaOutput", "CALSA", "CSystem", "CSystemd", "CGPIO",
                "CEvdev",
                "CLink", "CScreen", "Display", "Instrument", "Panel",
            ]),
        library(
            "Pages",
            ["Display", "Formats", "InputEvents", "Instrument", "Runtime", "Threads", "Replay", "CWebSockets"],
            resources: [
                "index.html", "panel.css", "panel.js", "keys.js", "legend.js", "audio.js", "tune.js", "box.js",
                "shell.js", "drop.js", "worker.js", "lights.js", "files.js", "sound.js",
                "service.js", "icon.svg", "icon.png", "manifest.webmanifest", "how.txt",
            ].map { .embedInCode("Page/\($0)") }
                + ["setup.html", "setup.css", "setup.js", "wiring.js", "devices.js", "update.js"].map {
                    .embedInCode("Setup/Page/\($0)")
                }),
        library(
            "Box",
            [
                "Display", "Drive", "InputEvents", "Instrument", "Input", "Panel", "Runtime", "Threads", "Documents",
                "Formats", "Library", "Devices", "Replay", "Pages",
            ],
            resources: ["night", "house", "sunday"].map { .embedInCode("Demos/\($0).jsonl") }),
        library(
            "Drive",
            [
                "Display", "InputEvents", "Instrument", "Panel", "Runtime", "Documents", "Formats", "Replay",
            ]),
        library(
            "Commands",
            [
                "Box", "Drive", "Display", "InputEvents", "Instrument", "Input", "Panel", "Runtime", "Documents",
                "Formats", "Library", "Devices", "Replay", "Pages",
            ]),
        .executableTarget(
            name: "pixelboop", dependencies: ["Commands"], swiftSettings: swiftSettings,
            linkerSettings: staticLibraries),

        // The tests.
        .target(name: "TestTags", path: "Tests/Support/TestTags", swiftSettings: swiftSettings),
        .target(
            name: "TestSupport", dependencies: ["CPNG"], path: "Tests/Support/TestSupport",
            swiftSettings: optimisedSettings),
        .target(
            name: "ManualTime", dependencies: ["InputEvents", "Runtime", "Threads"], path: "Tests/Support/ManualTime",
            swiftSettings: swiftSettings),
        tests("DisplayTests", ["Display"]),
        tests("InstrumentTests", ["TestSupport", "Instrument", "InputEvents", "Display"]),
        tests("PanelTests", ["TestSupport", "Panel", "Display", "InputEvents"]),
        tests(
            "FormatsTests",
            ["TestSupport", "Documents", "Formats", "Input", "InputEvents", "Display", "Instrument", "Panel"]),
        tests("InputTests", ["TestSupport", "Input", "InputEvents"]),
        tests(
            "RuntimeTests",
            [
                "TestSupport", "ManualTime", "SignalAnalysis", "Runtime", "Threads", "Synth", "Input", "InputEvents",
                "Replay",
                "Display",
                "Documents", "Formats",
                "Instrument", "Panel",
            ]),
        tests(
            "CommandTests",
            [
                "TestSupport", "SignalAnalysis", "Box", "Commands", "Display", "Documents", "Formats", "Instrument",
                "Library", "Replay", "SQLiteFaults", "CSQLite",
            ]),
        tests(
            "BoxTests",
            [
                "TestSupport", "SignalAnalysis", "Box", "Devices", "Documents", "Formats", "InputEvents", "Instrument",
                "Library",
                "Panel", "Replay",
                "Runtime", "Pages", "SQLiteFaults", "CSQLite",
            ]),
        tests(
            "DriveTests",
            [
                "TestSupport", "Drive", "Documents", "Replay", "Display", "InputEvents", "Instrument", "Panel",
                "Runtime",
            ]),
        tests("HouseTests", ["TestSupport", "Commands", "Formats", "Instrument"]),
        tests(
            "ReplayTests",
            [
                "TestSupport", "SignalAnalysis", "Replay", "Input", "InputEvents", "Runtime", "Panel", "Library",
                "Display",
                "Documents", "Formats", "Instrument",
            ],
            exclude: ["Screens"]),
        .target(
            name: "LibraryScript", dependencies: ["TestSupport", "Library", "Documents", "Instrument"],
            path: "Tests/Support/LibraryScript", swiftSettings: optimisedSettings),
        .executableTarget(
            name: "SaveProbe", dependencies: ["Instrument", "LibraryScript", "Library"],
            path: "Tests/Support/SaveProbe",
            swiftSettings: swiftSettings),
        .target(
            name: "SQLiteFaults", dependencies: ["CSQLite"], path: "Tests/Support/SQLiteFaults", cSettings: cSettings,
            linkerSettings: [.linkedLibrary("dl")]),
        tests(
            "LibraryTests",
            [
                "TestSupport", "Library", "LibraryScript", "SaveProbe", "SQLiteFaults", "CSQLite", "Documents",
                "Formats",
                "InputEvents", "Instrument",
            ]),
        tests(
            "BrowserTests",
            ["TestSupport", "Browser", "Documents", "Instrument", "InputEvents", "Replay", "Runtime"]),
        tests(
            "PagesTests",
            [
                "TestSupport", "Pages", "Replay", "Input", "InputEvents", "Display", "Formats", "Instrument",
                "Panel", "Runtime",
            ]),
        .target(name: "DeathProbe", dependencies: ["CSystem"], path: "Tests/Support/DeathProbe", cSettings: cSettings),
        .target(
            name: "EvdevKernel", path: "Tests/Support/EvdevKernel", cSettings: cSettings,
            linkerSettings: [.linkedLibrary("dl"), .linkedLibrary("pthread")]),
        tests(
            "DevicesTests",
            [
                "TestSupport", "ManualTime", "Devices", "Display", "Input", "InputEvents", "AlsaOutput", "CGPIO",
                "CLink", "CSystem",
                "DeathProbe",
                "EvdevKernel",
                "Instrument", "Panel", "Runtime", "Threads",
            ]),
        .executableTarget(
            name: "LightProbe", dependencies: ["Devices", "Display", "InputEvents", "Panel", "Runtime", "TestSupport"],
            path: "Tests/Support/LightProbe", swiftSettings: swiftSettings),
        .target(name: "SignalAnalysis", path: "Tests/Support/SignalAnalysis", swiftSettings: optimisedSettings),
        // The engine's own headers, compiled like the engine.
        .target(
            name: "SynthProbe", dependencies: ["Synth"], path: "Tests/Support/SynthProbe",
            cxxSettings: synthCXXSettings + [.headerSearchPath("../../../Sources/Synth")],
            linkerSettings: [.linkedLibrary("pthread")]),
        tests("SynthTests", ["TestSupport", "SignalAnalysis", "SynthProbe", "Synth"]),
        .target(
            name: "AlsaFaults", path: "Tests/Support/AlsaFaults", cSettings: cSettings,
            linkerSettings: [.linkedLibrary("asound"), .linkedLibrary("dl")]),
        .target(
            name: "ManualClock", dependencies: ["AlsaOutput"], path: "Tests/Support/ManualClock", cSettings: cSettings,
            linkerSettings: [.linkedLibrary("pthread")]),
        .target(
            name: "PcmPlayback", dependencies: ["AlsaOutput"], path: "Tests/Support/PcmPlayback",
            cxxSettings: cxxSettings + [.headerSearchPath("../../../Sources/AlsaOutput")]),
        .target(
            name: "PositionProbe", dependencies: ["AlsaOutput"], path: "Tests/Support/PositionProbe",
            cxxSettings: cxxSettings + [.headerSearchPath("../../../Sources/AlsaOutput")],
            linkerSettings: [.linkedLibrary("pthread")]),
        tests(
            "AlsaOutputTests",
            ["AlsaOutput", "AlsaFaults", "ManualClock", "PcmPlayback", "PositionProbe", "Synth", "TestSupport"]),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "Display", "Documents", "Drive", "Formats", "Instrument", "Input", "InputEvents", "Panel", "Replay",
            ],
            path: "Tests/Fuzz/Targets", swiftSettings: swiftSettings),
        tests("FuzzTests", ["FuzzTargets", "TestSupport"]),

        // Debian's libraries.
        .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
        .systemLibrary(name: "CDRM", pkgConfig: "libdrm", providers: [.apt(["libdrm-dev"])]),
        .systemLibrary(name: "CEvdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev"])]),
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(name: "CSndfile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CWebSockets", pkgConfig: "libwebsockets", providers: [.apt(["libwebsockets-dev"])]),
        .systemLibrary(name: "CXML", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CMath"),
        .systemLibrary(name: "CBrowser"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    ],
    cxxLanguageStandard: .cxx17
)

// Only for `make fuzz`, as it needs a compiler with libFuzzer.
if Context.environment["PIXELBOOP_FUZZ"] != nil {
    package.targets += [
        .systemLibrary(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
        .executableTarget(
            name: "Fuzz", dependencies: ["FuzzTargets", "CFuzzer", "Documents"], path: "Tests/Fuzz/Driver",
            swiftSettings: swiftSettings),
    ]
}

// PIXELBOOP_TESTS="A B": only these tests and their dependencies, for checks that build a part separately.
if let asked = Context.environment["PIXELBOOP_TESTS"] {
    var needed = asked.split(separator: " ").map(String.init)
    var index = 0
    while index < needed.count {
        let dependencies = package.targets.first { $0.name == needed[index] }?.dependencies ?? []
        for case .byNameItem(let name, _) in dependencies where !needed.contains(name) { needed.append(name) }
        index += 1
    }
    package.targets.removeAll { !needed.contains($0.name) }
}
