import Documents
import Instrument
import Library
import Replay
import Runtime

extension Replay.Plan {
    /// Starts with the session of `library`, whose file is at `path`, saves changes to it, and answers the panel's requests.
    /// `today` is the day of its guide, the clock's without it; `keepsTakes`: takes are kept beside it.
    package mutating func play(
        _ library: Library, at path: String, today: Int? = nil, listings: Librarian.Listings? = nil,
        keepsTakes: Bool = true
    ) {
        let librarian = Librarian(library, today: today, listings: listings)
        session = library.sessionToPlay()
        store = library
        setDisk = { library.fault = $0 }
        runJob = { job in
            do {
                return try librarian.run(job)
            } catch {
                Log.post("\(error)")
                return [.notice(.libraryFailed)]
            }
        }
        let (takes, samples) = (TakeFolder(ofLibrary: path), SampleFolder(ofLibrary: path))
        runEngineJob = { job, input, engine in
            if let fault = library.fault, job.isRefused(by: fault) { return job.refusal }
            let jobs = EngineJobs(takes, samples, engine)
            if case .keepTake(let span) = job {
                guard keepsTakes else { return job.refusal }
                jobs.add(input, of: span)
            }
            return jobs.run(job)
        }
    }
}

extension Instrument.Job {
    /// Whether a disk with `fault` refuses it, of takes and samples: a full one is still read.
    fileprivate func isRefused(by fault: DiskFault) -> Bool {
        if case .loadSample = self { return fault == .fail }
        return !refusal.isEmpty
    }
}
