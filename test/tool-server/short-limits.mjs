import { register } from 'node:module'

register('./limits-hook.mjs', import.meta.url)
