// A process that sends each message back, so that messages cross real process borders.
process.on('message', (message) => process.send(message))
process.on('disconnect', () => process.exit(0))
