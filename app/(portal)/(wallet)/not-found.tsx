import { NothingHere } from '@/components/layout/nothing-here'

export default NothingHere
