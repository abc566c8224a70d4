# Each target does all of its own set-up. The work is in SwiftPM and in the scripts named here.

BOX := .build/release/pixelboop
SOURCES := Makefile Package.swift $(shell find Sources -type f)

.PHONY: run test bench lint deb kernel-bench check-crashes check-deploy check-hardware check-realtime check-threads fuzz pictures

run: $(BOX)
	@$(BOX) run $(ARGS)

test:
	@deploy/setup test
	@Tests/run

bench: $(BOX)
	@deploy/setup test
	@Tests/Bench/compare $(BOX)
	@Tests/Bench/budgets $(BOX)

deb: $(BOX)
	@deploy/setup deb
	@deploy/deb $(BOX)

check-deploy: deb
	@deploy/setup deploy
	@deploy/check $(BOX) .build/deb/pixelboop_*.deb

kernel-bench: $(BOX)
	@Tests/KernelBench/run $(BOX) $(PARTS)

check-crashes:
	@swift build --build-tests
	@PIXELBOOP_CRASHES=$${PIXELBOOP_CRASHES:-500} swift test --skip-build --filter '^LibraryTests\.CrashTests'

check-hardware: $(BOX)
	@deploy/setup hardware
	@hardware/check $(BOX)

check-realtime:
	@Tests/Sanitizers/realtime

check-threads:
	@Tests/Sanitizers/threads

fuzz:
	@Tests/Fuzz/run $(SECONDS)

lint:
	@swift format lint --strict --configuration .swift-format --recursive Package.swift Sources Tests

pictures:
	@deploy/setup test
	@swift build --build-tests
	@PIXELBOOP_PICTURES=1 swift test --skip-build --filter '^ReplayTests\.TourTests'

$(BOX): $(SOURCES)
	@deploy/setup run
	@echo "Building PixelBoop; the first time takes a few minutes."
	@swift build -c release --static-swift-stdlib -Xswiftc -use-ld=lld --product pixelboop
	@touch $@
