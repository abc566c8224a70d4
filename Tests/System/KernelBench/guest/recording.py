"""Reading what a module of the bench records, as it arrives."""

import os
import select
import threading

from waiting import LIMIT_SECONDS, Failure

# Seconds without a record after which the thread looks again whether it has to end, or has read everything.
PAUSE = 0.05


class Recording:
    """A device whose records a thread of its own reads; what it reads goes to `take`."""

    def __init__(self, device, flags, take):
        self.device = os.open(device, flags)
        self.take = take
        self.looks = 0
        self.looked = threading.Condition()
        self.is_ending = False
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self):
        while not self.is_ending:
            if select.select([self.device], [], [], PAUSE)[0]:
                self.take(os.read(self.device, 1 << 18))
                continue
            with self.looked:
                self.looks += 1
                self.looked.notify_all()

    def drain(self):
        """Returns when everything recorded before this call has been taken."""
        with self.looked:
            # The look in progress may have begun before the call: the second one did not.
            wanted = self.looks + 2
            if not self.looked.wait_for(lambda: self.looks >= wanted, LIMIT_SECONDS):
                raise Failure(f"the records do not end within {LIMIT_SECONDS} s")

    def stop(self):
        self.is_ending = True
        self.thread.join()
        os.close(self.device)
