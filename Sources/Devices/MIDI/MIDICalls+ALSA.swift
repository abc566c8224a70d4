import CALSA
import Glibc

extension MIDICalls {
    /// The real calls, through alsa-lib.
    static let alsa = MIDICalls(
        openClient: { name in SequencerClient.open(name).map(\.handle) },
        closeClient: { SequencerClient.release($0) },
        number: { snd_seq_client_id(SequencerClient.at($0).sequencer) },
        descriptor: { SequencerClient.at($0).descriptor },
        startQueue: { SequencerClient.at($0).startQueue(hertz: $1) },
        queueTime: { SequencerClient.at($0).time(of: $1) },
        createPort: { SequencerClient.at($0).createPort($1, isInput: $2, queue: $3) },
        ports: { .success(SequencerClient.at($0).ports) },
        connections: { SequencerClient.at($0).connections(of: $1, isSender: $2) },
        receive: { SequencerClient.at($0).receive(from: $2, at: $1) },
        feed: { SequencerClient.at($0).feed($2, from: $1) },
        read: { SequencerClient.at($0).read(into: $1) },
        send: { SequencerClient.at($0).send($3, from: $1, to: $2, due: $4) },
        discard: { snd_seq_drop_output(SequencerClient.at($0).sequencer) },
        openRaw: { RawMIDIDevice.open($0).map(\.handle) },
        closeRaw: { RawMIDIDevice.release($0) },
        rawDescriptor: { RawMIDIDevice.at($0).descriptor },
        readRaw: { RawMIDIDevice.at($0).read(into: $1) },
        rawOverruns: { RawMIDIDevice.at($0).overruns() })
}

/// The result of an ALSA call that returns a number from 0 up, or a negative error number.
func alsaNumber(_ value: Int32) -> Result<Int32, SystemError> {
    value < 0 ? .failure(SystemError(errno: -value)) : .success(value)
}

/// The result of an ALSA call without a value.
func alsaDone(_ value: Int32) -> Result<Void, SystemError> { alsaNumber(value).map { _ in } }
