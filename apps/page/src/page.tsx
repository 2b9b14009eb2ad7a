import { useEffect, useState } from 'preact/hooks'
import { ErrorNote } from './errorNote.js'
import { KeyForm } from './keyForm.js'
import { firstKey, keptKey, readSetting, type Setting } from './pageConfig.js'
import { Desk } from './swapPage.js'

/** The page: reads the setting, asks for a key if none is known, then shows the swap desk. */
export function Page() {
  const [setting, setSetting] = useState<Setting>()
  const [failure, setFailure] = useState<unknown>()
  const [apiKey, setApiKey] = useState<string>()
  const [refusal, setRefusal] = useState<string>()
  useEffect(() => {
    readSetting().then((read) => {
      setSetting(read)
      setApiKey(firstKey(read))
    }, setFailure)
  }, [])
  if (failure !== undefined) {
    return (
      <main class="alone">
        <ErrorNote error={failure} />
      </main>
    )
  }
  if (!setting) return <main class="alone" aria-busy="true" />
  if (apiKey === undefined) {
    const enter = (key: string) => {
      keptKey.write(key)
      setRefusal(undefined)
      setApiKey(key)
    }
    return <KeyForm refusal={refusal} onKey={enter} />
  }
  const leave = (why?: string) => {
    keptKey.forget()
    setRefusal(why)
    setApiKey(undefined)
  }
  return <Desk key={apiKey} setting={setting} apiKey={apiKey} onKeyRefused={leave} />
}
