// Says which process runs the tests, so that it can be ended: a mutant may loop without giving control back.

import { writeFileSync } from 'node:fs'

writeFileSync(process.env['BRAID_MUTANT_PID_FILE']!, String(process.pid))
