import '@fontsource-variable/inter/wght.css'
import './style.css'
import { render } from 'preact'
import { z } from 'zod'
import { Page } from './page.js'

// Compiled zod schemas need `eval`, which the page's content security policy forbids.
z.config({ jitless: true })

const root = document.querySelector('#page')
if (root) render(<Page />, root)
