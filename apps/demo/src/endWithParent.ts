// Loaded into the API's process with `--import`: its standard input is a pipe that closes when the
// demo is gone, however it went, so that nothing is left behind.
process.stdin.resume()
process.stdin.once('close', () => process.kill(process.pid, 'SIGTERM'))
