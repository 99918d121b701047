# Publishes records numbered from 0, at most ten of them unacknowledged, and says the number of each that was acknowledged.
# Ends once its input has and all are. Arguments: port, device, token, QoS.
import queue
import sys
import threading

import paho.mqtt.client as mqtt

port, device, token, qos = int(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
acknowledged = queue.Queue()
over = threading.Event()
numbers = {}

client = mqtt.Client("paho", clean_session=False)
client.username_pw_set(device, token)
client.reconnect_delay_set(0.02, 0.02)
client.on_publish = lambda client, userdata, mid: acknowledged.put(mid)
client.connect("127.0.0.1", port)
client.loop_start()
threading.Thread(target=lambda: (sys.stdin.read(), over.set()), daemon=True).start()
n = 0
while numbers or not over.is_set():
    while len(numbers) < 10 and not over.is_set():
        numbers[client.publish(device, '{"n":%d}' % n, qos).mid] = n
        n += 1
    if numbers:
        print(numbers.pop(acknowledged.get()), flush=True)
client.disconnect()
client.loop_stop()
