# Each target does its own set-up. SwiftPM and the scripts named here do the work.

BOX := .build/release/pixelboop
HERE := $(shell dpkg --print-architecture 2>/dev/null)
ARCH ?= $(HERE)
SOURCES := Makefile Package.swift $(shell find Sources -type f)

.PHONY: run test flakes bench deb image kernel-bench check-all check-arm64 check-crashes check-debug check-deploy check-web \
	check-hardware check-image check-hostile check-orders check-realtime check-setup check-takes check-threads command-texts fuzz hardware icon lint pictures \
	reference release site sizes soak sound-files sounds wheel

run: $(BOX)
	@$(BOX) run $(ARGS)

test:
	@deploy/setup test
	@Tests/run

# Hours: for a night, and before a release. What `make test` has a part of is whole.
check-all: export PIXELBOOP_WHOLE := yes
check-all: FUZZ_SECONDS := 600
check-all: lint test check-setup check-web check-debug check-crashes check-orders check-takes check-hostile check-realtime check-threads check-deploy \
	check-hardware check-arm64 check-image kernel-bench bench fuzz soak
	@git rev-parse HEAD >.build/checked

flakes:
	@deploy/setup test
	@Tests/flakes $(ARGS)

bench: $(BOX)
	@deploy/setup test
	@Tests/System/Bench/compare $(BOX)
	@Tests/System/Bench/budgets $(BOX)

deb: deb-$(ARCH)

deb-$(HERE): $(BOX)
	@deploy/setup deb
	@flock .build/deb.lock deploy/deb $(BOX) $(HERE)

ifneq ($(HERE),arm64)
deb-arm64:
	@deploy/setup arm64
	@deploy/arm64/setup
	@deploy/arm64/build -c release --product pixelboop
	@flock .build/deb.lock deploy/deb .build/arm64/build/release/pixelboop arm64 $(CURDIR)/deploy/arm64/run
endif

image: deb-arm64
	@deploy/setup image
	@deploy/image/make .build/deb/pixelboop_*_arm64.deb
	@deploy/sign .build/image/pixelboop_*_arm64.img.xz

# The client for Python, for tests of boxes; FOLDER says where.
wheel:
	@deploy/packages python3
	@mkdir -p $(or $(FOLDER),.build/wheel)
	@python3 clients/python/backend.py $(or $(FOLDER),.build/wheel)

release: image deb-$(HERE) hardware wheel
	@deploy/setup deploy
	@deploy/release

check-image: image
	@deploy/image/check .build/image/pixelboop_*_arm64.img.xz

check-arm64: deb-arm64 $(BOX)
	@deploy/arm64/check .build/arm64/build/release/pixelboop $(BOX)

check-deploy: deb-$(HERE)
	@deploy/setup deploy
	@deploy/check $(BOX) .build/deb/pixelboop_*_$(HERE).deb

kernel-bench: $(BOX)
	@Tests/System/KernelBench/run $(BOX) $(PARTS)

# The libraries of these programs in Python, which leave no files behind.
check-hostile check-takes check-web soak: export PYTHONPATH := $(CURDIR)/Tests/Support/Python:$(CURDIR)/clients/python
check-hostile check-takes check-web soak: export PYTHONDONTWRITEBYTECODE := 1

check-takes: $(BOX)
	@deploy/packages python3
	@Tests/System/Takes/hours $(BOX) $(HOURS)

check-orders:
	@deploy/setup test
	@PIXELBOOP_ORDERS=$${PIXELBOOP_ORDERS:-100000} Tests/run InstrumentTests --filter '^InstrumentTests\.OrderTests'

check-crashes:
	@deploy/setup run
	@PIXELBOOP_CRASHES=$${PIXELBOOP_CRASHES:-500} PIXELBOOP_POWER_CUTS=$${PIXELBOOP_POWER_CUTS:-10000} \
		Tests/run LibraryTests --filter '^LibraryTests\.(CrashTests|PowerCutTests)'

check-hardware: $(BOX)
	@deploy/setup hardware
	@hardware/check $(BOX)

# What a board house, a printer and a cutting service need.
hardware:
	@deploy/setup hardware
	@hardware/publish $(or $(FOLDER),.build/hardware)

check-hostile: $(BOX)
	@deploy/setup test
	@Tests/System/Hostile/attack $(BOX)
	@Tests/System/Hostile/wire $(BOX)

# The tests of a debug build, whose command writes the same bytes.
check-debug: $(BOX)
	@deploy/setup run
	@swift build --build-tests
	@swift test --skip-build
	@Tests/System/Determinism/compare .build/debug/pixelboop $(BOX)

# The box for browsers and the documentation, as static files in .build/site; BEFORE=FOLDER keeps an earlier site's versions.
site: $(BOX)
	@deploy/setup site
	@deploy/site/make $(BOX) $(if $(BEFORE),--before $(BEFORE))

# It gives the bits of the box, and a browser plays it.
check-web: site
	@deploy/setup browsers
	@command -v node >/dev/null || deploy/packages nodejs
	@Tests/System/Site/bits $(BOX)
	@Tests/System/Site/browsers $(BOX)
	@Tests/System/Site/play $(BOX)
	@Tests/System/Site/docs $(BOX)

check-realtime:
	@deploy/setup run
	@Tests/Sanitizers/realtime

check-setup:
	@deploy/packages python3
	@/usr/bin/python3 Tests/House/test_setup.py

check-threads:
	@deploy/setup run
	@Tests/Sanitizers/threads

fuzz:
	@deploy/setup run
	@Tests/Fuzz/run $(or $(SECONDS),$(FUZZ_SECONDS))

soak: $(BOX)
	@deploy/setup test
	@Tests/System/Hostile/soak --seconds $(or $(SECONDS),3600) $(BOX)

lint:
	@deploy/setup run
	@swift format lint --strict --configuration .swift-format --recursive Package.swift Sources Tests

reference:
	@deploy/setup run
	@Tests/House/reference

sizes:
	@deploy/packages python3
	@Tests/House/sizes

pictures:
	@deploy/setup test
	@PIXELBOOP_PICTURES=1 Tests/run ReplayTests --filter '^(ReplayTests\.(TourTests|PlayTests|FontTests)|CommandTests\.SoundPictureTests)'

# The icon of iOS, from that of other systems.
icon:
	@deploy/packages librsvg2-bin
	@rsvg-convert --width 180 --height 180 Sources/Pages/Page/icon.svg -o Sources/Pages/Page/icon.png

sound-files: $(BOX)
	@docs/sounds/make $(BOX)

# The man page and the completions of shells, from the help of the commands.
command-texts: $(BOX)
	@$(BOX) manual >deploy/debian/pixelboop.1
	@for shell in bash zsh fish; do $(BOX) completion $$shell >deploy/completions/pixelboop.$$shell; done

sounds: $(BOX)
	@$(BOX) sounds $(or $(FOLDER),.build/sounds)

$(BOX): $(SOURCES)
	@deploy/setup run
	@echo "Building PixelBoop; the first time takes a few minutes."
	@swift build -c release --product pixelboop
	@touch $@
