/* One port of the switch: an AF_PACKET socket on the fabric's end of a host's cable.
 *
 * Reception is a ring shared with the kernel (TPACKET_V2): reading costs no system call, and each
 * slot has the moment at which the frame came, however late the switch looks.
 */
#include "port.h"

#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../common/fail.h"
#include "moment.h"

#define SLOT_SIZE 2048 /* a frame of 1514 bytes with the headers of the ring */
#define N_SLOTS 1024   /* what a host can send while the switch is kept from the processor */
#define BLOCK_SIZE 65536
#define RING_SIZE ((size_t)SLOT_SIZE * N_SLOTS)

static void set_option(int socket, int level, int name, int value, const char *what)
{
    if (setsockopt(socket, level, name, &value, sizeof value) != 0)
        contend_fail_errno("cannot set %s of a packet socket; Linux 4.20 or newer is required",
                           what);
}

static unsigned char *map_ring(int socket)
{
    const struct tpacket_req request = {.tp_block_size = BLOCK_SIZE,
                                        .tp_block_nr = RING_SIZE / BLOCK_SIZE,
                                        .tp_frame_size = SLOT_SIZE,
                                        .tp_frame_nr = N_SLOTS};
    if (setsockopt(socket, SOL_PACKET, PACKET_RX_RING, &request, sizeof request) != 0)
        contend_fail_errno("cannot have a ring of %zu bytes", RING_SIZE);
    void *ring = mmap(NULL, RING_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, socket, 0);
    if (ring == MAP_FAILED)
        contend_fail_errno("cannot map a ring of %zu bytes", RING_SIZE);
    return ring;
}

static void bind_to(int socket, const char *interface)
{
    const unsigned index = if_nametoindex(interface);
    if (index == 0)
        contend_fail_errno("no interface %s in this network namespace", interface);
    const struct sockaddr_ll address = {
        .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL), .sll_ifindex = (int)index};
    if (bind(socket, (const struct sockaddr *)&address, sizeof address) != 0)
        contend_fail_errno("cannot bind a packet socket to %s", interface);
}

struct contend_port contend_open_port(const char *interface)
{
    /* No protocol yet: nothing is received before the socket knows its interface. */
    const int descriptor = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (descriptor < 0)
        contend_fail_errno("cannot open a packet socket; run inside a user namespace");
    set_option(descriptor, SOL_PACKET, PACKET_VERSION, TPACKET_V2, "PACKET_VERSION");
    set_option(descriptor, SOL_PACKET, PACKET_VNET_HDR, 1, "PACKET_VNET_HDR");
    set_option(descriptor, SOL_PACKET, PACKET_IGNORE_OUTGOING, 1, "PACKET_IGNORE_OUTGOING");
    set_option(descriptor, SOL_PACKET, PACKET_QDISC_BYPASS, 1, "PACKET_QDISC_BYPASS");
    /* Frames are stamped as soon as they cross the cable, not when the ring gets them. */
    set_option(descriptor, SOL_SOCKET, SO_TIMESTAMPNS, 1, "SO_TIMESTAMPNS");
    unsigned char *ring = map_ring(descriptor);
    bind_to(descriptor, interface);
    return (struct contend_port){.socket = descriptor, .ring = ring};
}

void contend_close_port(struct contend_port *port)
{
    if (munmap(port->ring, RING_SIZE) != 0 || close(port->socket) != 0)
        contend_fail_errno("cannot close a packet socket");
}

static struct tpacket2_hdr *slot_of(const struct contend_port *port)
{
    return (struct tpacket2_hdr *)(void *)(port->ring + (size_t)port->slot * SLOT_SIZE);
}

bool contend_peek_port(const struct contend_port *port, struct contend_arrival *arrival)
{
    const struct tpacket2_hdr *slot = slot_of(port);
    const _Atomic uint32_t *status = (const _Atomic uint32_t *)&slot->tp_status;
    if ((atomic_load_explicit(status, memory_order_acquire) & TP_STATUS_USER) == 0)
        return false;
    struct virtio_net_hdr header;
    arrival->real = slot->tp_sec * CONTEND_NS_PER_S + slot->tp_nsec;
    arrival->packet = (const unsigned char *)slot + slot->tp_mac - sizeof header;
    arrival->length = slot->tp_snaplen + (uint32_t)sizeof header;
    memcpy(&header, arrival->packet, sizeof header);
    arrival->is_oversized = slot->tp_snaplen < slot->tp_len ||
                            arrival->length > CONTEND_PACKET_SIZE ||
                            header.gso_type != VIRTIO_NET_HDR_GSO_NONE;
    return true;
}

void contend_free_slot(struct contend_port *port)
{
    _Atomic uint32_t *status = (_Atomic uint32_t *)&slot_of(port)->tp_status;
    atomic_store_explicit(status, TP_STATUS_KERNEL, memory_order_release);
    port->slot = (port->slot + 1) % N_SLOTS;
}

bool contend_send(const struct contend_port *port, const struct contend_frame *frame)
{
    return send(port->socket, frame->packet, frame->length, MSG_DONTWAIT) == (ssize_t)frame->length;
}

uint32_t contend_lost_frames(const struct contend_port *port)
{
    struct tpacket_stats statistics;
    socklen_t size = sizeof statistics;
    if (getsockopt(port->socket, SOL_PACKET, PACKET_STATISTICS, &statistics, &size) != 0)
        contend_fail_errno("cannot read the statistics of a packet socket");
    return statistics.tp_drops;
}
