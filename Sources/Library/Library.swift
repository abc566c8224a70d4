import CSQLite
import Runtime
