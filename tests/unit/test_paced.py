"""The benchmark's upstream sends what the scripted server sends, byte for byte."""

import asyncio
import json

import httpx

from providers.paced import Paced
from providers.scripted import running, scripted_app

REQUEST = {
    "model": "scripted-pace-500-5",
    "stream": True,
    "stream_options": {"include_usage": True},
    "messages": [{"role": "user", "content": "hello"}],
}


async def test_it_sends_what_the_scripted_server_sends() -> None:
    server = await asyncio.get_running_loop().create_server(Paced, "127.0.0.1", 0)
    own = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    async with server, running(scripted_app()) as scripted:
        async with httpx.AsyncClient() as client:
            bodies = []
            for base in (own, own, scripted):  # twice on one connection
                answer = await client.post(f"{base}/chat/completions", content=json.dumps(REQUEST))
                assert answer.status_code == 200
                bodies.append(answer.content)
            assert bodies[0] == bodies[1] == bodies[2]
            assert bodies[0].count(b'"content"') == 5
            assert (await client.post(f"{own}/chat/completions", json={"model": "other"})).status_code == 404
        await asyncio.sleep(0.02)  # both ends of the connection are closed
