import {openDatabase} from '@/server/platform/database/client'
import {migrate} from '@/server/platform/database/migrate'
import {rmSync} from 'node:fs'
const which=process.argv[2]!
const bench=async(db:any,label:string,N=2000)=>{ let t=performance.now(); for(let i=0;i<N;i++) await db.query('INSERT INTO replay_keys (key,expires_at) VALUES ($1,$2)',[label+i,new Date()]); console.log(label,'insert/s',Math.round(N/(performance.now()-t)*1000))
 t=performance.now(); for(let i=0;i<N;i++) await db.query('SELECT version FROM status_lists WHERE id=$1',['1']); console.log(label,'select/s',Math.round(N/(performance.now()-t)*1000))
 t=performance.now(); for(let i=0;i<N;i++) await db.transaction(async(tx:any)=>{await tx.query('SELECT version FROM status_lists WHERE id=$1',['1']);await tx.query('UPDATE status_lists SET version=version+1 WHERE id=$1',['1'])}); console.log(label,'tx/s',Math.round(N/(performance.now()-t)*1000))
 t=performance.now(); for(let i=0;i<300;i++) await db.prisma.statusList.findMany(); console.log(label,'prisma/s',Math.round(300/(performance.now()-t)*1000))}
const T=performance.now()
const loc=which==='mem'?{inMemory:true,databaseUrl:null}:which==='dir'?{databaseUrl:null}:{databaseUrl:which}
if(which==='dir'&&process.argv[3]==='cold') rmSync('/tmp/cs-data',{recursive:true,force:true})
const db=await openDatabase({dataDir:'/tmp/cs-data',databasePoolSize:10,...loc} as any); console.log('open',performance.now()-T)
console.log(await migrate(db),'migrated',performance.now()-T)
console.log(await db.query("select 1::int8 a, now() b, date '2026-01-02' c, '{\"x\":1}'::jsonb d, array['a','b,\"c\\','']::text[] e, $1::text[] f, $2::int[] g, $3::timestamptz[] h, 1.5::numeric i, true j, null k",[['x','y"z\\'],[1,2],[new Date(0)]]))
console.log(await db.prisma.statusList.findMany())
await bench(db,which.slice(0,3)+Date.now())
await db.close()
