import { useEffect, useState } from 'preact/hooks'
import { ErrorNote } from './errorNote.js'
import { KeyForm } from './keyForm.js'
import { firstKey, keptKey, type PageConfig, readPageConfig } from './pageConfig.js'
import { SwapPage } from './swapPage.js'

/** The page: reads the config, asks for a key if none is known, then shows the swap page. */
export function Page() {
  const [config, setConfig] = useState<PageConfig>()
  const [failure, setFailure] = useState<unknown>()
  const [apiKey, setApiKey] = useState<string>()
  const [refusal, setRefusal] = useState<string>()
  useEffect(() => {
    readPageConfig().then((read) => {
      setConfig(read)
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
  if (!config) return <main class="alone" aria-busy="true" />
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
  return <SwapPage key={apiKey} config={config} apiKey={apiKey} onKeyRefused={leave} />
}
