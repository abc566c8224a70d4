import Commands

/// The command `pixelboop`. A target of its own, as it alone is linked statically with Swift's libraries; the tests
/// link the same objects with Swift's shared ones, which Swift Testing needs.
@main
enum PixelBoop {
    static func main() { Main.main() }
}
